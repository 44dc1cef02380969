"""How guests who have said yes change the number of people, by language: make it 3, only 2 of us.

Each list has whole phrases, as in the other tables. `lead` stands before the number, `people` right
after it, `tail` at the end; `instead` stands before the number that no longer holds.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Party:
    language: str
    lead: str
    people: str
    tail: str
    instead: str


PARTIES = (
    Party(
        "en",
        lead="""
            no; nope; nah; sorry; sry; oh; oops; wait; hold on; hi; hey; hello; ok; okay; yes; yeah
            actually; in fact; well; i mean; i meant; correction; update; rather; or rather; only
            just; now; instead; unfortunately; sadly; but; make it|that; lets make it; lets say
            change it|that? to; can you make it; could you make it; please; pls; put us? down for
            we will be; we are; were; well be; we shall be; there will be; therell be; there are
            it will be; itll be; its just|only; it is just|only; us; down to; up to; a party of
            a total of; in the end; turns out; to be
        """,
        people="of us; people; persons; ppl; pax; guests; guest; person; adults; seats; places",
        tail="""
            now; instead; please; pls; thanks; thank you; thx; sorry; only; total; in total; in all
            altogether; after all; then; actually; coming; are coming; will come; will be coming
            will be there; will make it; can come; can make it; will attend; not more
        """,
        instead="not; and not; instead of; rather than",
    ),
    Party(
        "he",
        lead="""
            לא; סליחה; אופס; רגע; היי; שלום; אוקיי; כן; בעצם; למעשה; תיקון; עדכון; רק; עכשיו
            לצערי; אבל; תעשו; תעשה; תעשי; תעשו את זה; תעשה את זה; שיהיה; שיהיו; בואו נגיד; תרשמו
            תרשום; תרשמי; תשנו ל; תעדכנו; תעדכנו ל; נהיה; אנחנו; אנחנו רק; אנו; נגיע; מגיעים; נבוא
            אוי; אוי לא; לא לא; שוב; טעות; טעיתי; התבלבלתי; יוצא; ספרנו; ספרתי; נשארנו
            ותעשו; תעשו אותנו; תעשו מזה; חזרנו ל
            באים; יהיו; בסוף; בסוף נהיה; סך הכל; סהכ; בבקשה; ורק; אז
        """,
        people="מאיתנו; מאתנו; איש; אנשים; אורחים; מבוגרים; מקומות; נפשות; סועדים; משתתפים",
        tail="""
            עכשיו; במקום; בבקשה; תודה; תודה רבה; סליחה; בלבד; סך הכל; סהכ; בסוף; מגיעים; באים
            התבלבלתי; כמו שהיה; סופי; ביחד; איתי; שוב; אנחנו
            נגיע; נבוא; יגיעו; יבואו; נהיה; ולא יותר; לא יותר
        """,
        instead="לא; ולא; במקום",
    ),
    Party(
        "es",
        lead="""
            no; perdón; perdon; disculpa; disculpe; disculpen; lo siento; ups; espera; hola; ok; sí
            en realidad; de hecho; corrección; mejor; mejor dicho; solo; sólo; solamente; únicamente
            ahora; al final; pero; que sean; sean; seremos; somos; vamos a ser; vamos; iremos
            iríamos; estaremos; pon; ponme; ponnos; pónganos; cambia a; cámbialo a; déjalo en
            dejémoslo en; hazlo; por favor; ya; digo; quise decir; nosotros; apenas; un total de
        """,
        people="de nosotros; de nosotras; personas; persona; gente; invitados; adultos; plazas",
        tail="""
            ahora; por favor; gracias; perdón; lo siento; en total; nada más; al final; mejor; solo
            solamente; vamos; iremos; vienen; vendrán; vendremos; asistiremos; pueden ir; podemos ir
        """,
        instead="no; y no; en vez de; en lugar de",
    ),
    Party(
        "fr",
        lead="""
            non; pardon; désolé; désolée; désolés; oups; attends; attendez; bonjour; ok; oui
            en fait; finalement; au final; correction; plutôt; ou plutôt; seulement; juste; que
            uniquement; maintenant; malheureusement; mais; mettez; mets; mets nous; mettez nous
            disons; faites; on sera; on est; on ne sera que; on sera que; nous serons; nous sommes
            nous ne serons que; nous ne sommes que; nous serons que; on n est que; ce sera; ça fera
            ce sera plutôt; je voulais dire; svp; s il vous plaît; changez à; passez à; un total de
            c est; c est pour; ça fait; donc; du coup; on; à; au fait; je précise; j ai compté
            on est rendus; mettez|mets en|nous|nous en; met; fais; comptez|compte; comptez nous
            on passe|reste|revient à; on repasse à; prévois; prévoyez; euh; ah; enfaite; ben; bon
            bon ben; on va être; plus; retour à; remets|remettez nous? à?; pour; ok alors; alors
            on vient à; nous sommes|serons; nous viendrons à; que nous; ce sera que; de; en vrai
            dis
        """,
        people="d entre nous; personnes; personne; invités; adultes; places; couverts",
        tail="""
            maintenant; svp; s il vous plaît; s il te plaît; merci; désolé; désolée; pardon
            au total; en tout; finalement; seulement; plutôt; viendront; viendrons; serons là
            venons; viennent; peuvent venir; pouvons venir; du coup; dedans; définitif; je précise
            de nouveau; oui; donc; mdr; stp; moi compris|comprise; autant pour moi; pour nous
            si tu veux le chiffre; j avais oublié de dire; j avais oublié de vous? le? dire
            j ai oublié de dire; au fait; adultes; couverts; je me suis trompé|trompée
        """,
        instead="pas; et pas; et non; et non pas; non; au lieu de; plutôt que",
    ),
    Party(
        "de",
        lead="""
            nein; nee; ne; sorry; entschuldigung; entschuldige; ups; moment; hallo; hi; ok; ja
            eigentlich; tatsächlich; korrektur; doch; doch nur; nur; bloß; lediglich; jetzt; nun
            leider; aber; macht; mach; machen wir; macht mal; sagen wir; sagen wir mal; wir sind
            wir werden; wir kommen; sind wir; werden wir; es sind; es werden; ich meine; ich meinte
            bitte; zu; am ende; lieber; dann; insgesamt
        """,
        people="von uns; personen; person; leute; gäste; gast; erwachsene; plätze",
        tail="""
            jetzt; nun; bitte; danke; sorry; insgesamt; draus; daraus; nur; sein; kommen; kommen mit
            werden kommen; können kommen; dabei; sind dabei; mehr nicht
        """,
        instead="nicht; und nicht; statt; anstatt; anstelle von",
    ),
    Party(
        "pt",
        lead="""
            não; desculpe; desculpa; desculpem; perdão; ops; espera; olá; oi; ok; sim; na verdade
            aliás; correção; melhor; ou melhor; só; somente; apenas; agora; no final; infelizmente
            mas; faça; faz; que sejam; sejam; seremos; somos; vamos ser; vamos; iremos; estaremos
            coloca; coloque; põe; muda para; mude para; deixa em; digo; quis dizer; por favor; nós
            um total de
        """,
        people="de nós; pessoas; pessoa; convidados; adultos; lugares",
        tail="""
            agora; por favor; obrigado; obrigada; desculpe; no total; ao todo; no final; só; apenas
            somente; vamos; iremos; vão; virão; podem ir; podemos ir
        """,
        instead="não; e não; em vez de; ao invés de; no lugar de",
    ),
    Party(
        "ru",
        lead="""
            нет; неа; извините; извини; простите; прости; ой; стоп; подождите; здравствуйте; привет
            ок; да; на самом деле; вообще то; поправка; точнее; вернее; только; лишь; всего; теперь
            уже; к сожалению; но; пусть будет; пусть; давайте; сделайте; запишите; запишите нас; нас
            нас будет; будет; будем; мы будем; придем; мы придем; в итоге; я имел в виду; пожалуйста
            поменяйте на; измените на; итого; то есть; пиши|пишите|ставь|ставьте|считай|считайте
            ставьте|поставьте нам?; сделай; если что|чё; забыл|забыла написать|сказать|уточнить
            уточняю; это; значит; короче; выходит; получается; ровно; опять; снова; едем; идем
            поедем; в общем; хотя нет; вру; ток; плз; нас уже; итоговая цифра; ой нет
            прошу исправить; мы; я и; теперь уже; окончательно; ну; а; всё; все
        """,
        people="человека; человек; из нас; гостя; гостей; места; мест; взрослых; взрослые",
        tail="""
            теперь; пожалуйста; спасибо; извините; всего; в итоге; придем; будем; будет; придут
            только; не больше; нас; если что|чё; плз; пожалуй; значит; получается; то есть
            будет теперь?; забыл|забыла написать|сказать; короче; ровно; едем; идем; всё таки; лучше
            и всё; выходит; мы
        """,
        instead="не; а не; и не; вместо",
    ),
    Party(
        "ar",
        lead="""
            لا; لأ; آسف; اسف; آسفة; عفوا; معليش; لحظة; مرحبا; اهلا; نعم; في الواقع; بالواقع; فعليا
            بقينا; رجعنا; يبقى; نصير; خلص; خلاص; لالا; معذرة; تعديل; تعديل بسيط; سمحو ليا
            احسبونا; حسبونا; خلها; خلوهم; غلطت; حنا; نحنا
            تصحيح; فقط; بس; الآن; هلأ; صرنا; للأسف; لكن; اجعلها; اجعلوها; خليها; خلوها; خليهم
            خلينا; سجلوا; سجلنا; سنكون; نكون; رح نكون; حنكون; هنكون; نحن; احنا; إحنا; سنأتي; عددنا
            العدد; يعني; قصدي; من فضلك; لو سمحت; بالنهاية; في النهاية
        """,
        people="""
            منا; مننا; أشخاص; شخص; اشخاص; ضيوف; كبار; مقاعد; أفراد; نفر
            ديال الناس; نفرات; أنفار
        """,
        tail="""
            فقط; بس; الآن; من فضلك; لو سمحت; شكرا; آسف; عفوا; بالمجموع; المجموع; سنأتي; رح نيجي
            جايين; سيأتون; لا غير; برك; آسفة; نحنا; احنا; حنا
        """,
        instead="لا; ماشي; موش; وليس; ليس; مش; ومش; مو; ومو; بدل; بدلا من; وليسوا",
    ),
)
