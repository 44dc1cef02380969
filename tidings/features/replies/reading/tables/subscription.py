"""What people send to hear no more from a business, or to hear again.

Words and requests (stop_requests.py) count as the whole message only. Inside a sentence the guest
is asked back: where one of WORDS is a clause by itself, and where a request stands anywhere. _MILD
words are ordinary there. LISTS may be of guests or of numbers: beside a yes they ask back.

Missing on purpose: `cancel` and its like (a guest who writes it declines an invitation), and being
taken off *the* list, which may be the list of guests (tables of the languages).
"""

from .stop_requests import LABELS, REQUESTS

WORDS = """
    stop; stopp; stop all; stopall; please stop; unsubscribe; unsub; optout; opt out; opt me out
    remove me; הסר; הסרה; הסירו; להסיר; להסרה; סטופ; توقف; توقفوا; ايقاف; اوقفوا; ستوب; стоп
    отпишите; отписаться; отпишись; відписатися; відписати; baja; parar; desuscribir
    desuscribirse; arrêt; arrêter; arrêtez; désabonner; se désabonner; désabonnement; désinscrire
    se désinscrire; désinscription; stop sms; abmelden; abmeldung; abbestellen; abbestellung; sair
    descadastrar; descadastre
"""

_MILD = """
    quit; end; revoke; delete me; erase me; leave me alone; הסירי; תסיר; תסירו; תסירי; עצור; עצרו
    תעצרו; haser; הפסק; הפסיקו; הפסיקי; תפסיק; תפסיקו; תפסיקי; להפסיק; מספיק לשלוח; די לשלוח
    אל תשלחו לי; אל תשלחו; עזבו אותי; תעזבו אותי; רדו ממני; توقفي; اوقف; وقف; وقفوا; وقفي; بطل
    بطلوا; لا ترسل; لا ترسلوا; لا ترسلون; لا تراسلوني; لا تبعثوا; لا تبعتوا; لا تطرشون; ما ترسلون
    متبعتوش; ماتبعتوش; حبس; حبسو; отписка; отпиши; хватит писать; не пишите; не пиши
    больше не пишите; больше не пиши; прекратите; прекрати; хватит; не присылайте; не надо писать
    удалите меня; удали меня; отстаньте; otpisatsya; de baja; dar de baja; pare; paren; detener
    alto; basta; desuscripción; cancelar suscripción; anular suscripción; no escribir
    déjenme en paz; déjame en paz; arrête; laissez moi tranquille; fichez moi la paix; austragen
    aufhören; aufhoeren; hört auf; hören sie auf; lasst mich in ruhe; lassen sie mich in ruhe
    kontakt löschen; löschen; loeschen; austragung; parem; descadastro; remover; me remova
    me remove; cancelar inscrição; cancelar assinatura; me deixa em paz; me deixem em paz
    deixem me em paz; remova me; apaguem me; disiscrivi; disiscrivimi; annulla iscrizione
    uitschrijven; afmelden; stoppen; avregistrera; frameld; afmeld; wypisz; wypisz mnie; odhlásit
    leiratkozás; dezabonare; ret; iptal abonelik; durdur; durdurun; aboneliği iptal; berhenti
    hentikan; huỷ đăng ký; ngừng; لغو; بند کریں; بند کرو; बंद; बंद करो; बंद करें; रोकें; 停止; 退订
    取消订阅; 退訂; 配信停止; 解除; 중지; 수신거부; หยุด; 停; やめて; dừng lại
"""

LISTS = """
    take|remove me off|from your|this list; retirez|enlevez moi de votre liste
"""

START = """
    start; unstop; subscribe; resume; optin; opt in; opt me in; resubscribe; start again
    start messages; restart; start sending again; subscribe me again?; sign me up again
    i? want messages again; add me back; turn messages back on; continue messages; התחל; התחילו
    להתחיל; תתחילו; הצטרף; הצטרפות; להצטרף; להצטרף לרשימה; הירשם; הרשמה; להירשם; תחזירו אותי
    תחזירו אותי לרשימה; החזירו אותי; חידוש; לחדש; חדש הודעות; תחדשו; סטארט; אפשר לשלוח לי שוב?
    תשלחו לי שוב; לחזור לקבל הודעות; ابدأ; ابدا; ابدؤوا; بدء; اشتراك; اشترك; استئناف; استانف
    استئناف الرسائل; تفعيل; تفعيل الرسائل; رجعوني; رجعوني للقائمة; ستارت; اشتركوني
    ارسلوا لي من جديد; اريد الاشتراك; فعلوا الرسائل; رجعوا الرسائل; старт; подписаться; подписка
    подпишите; подпишите меня снова|обратно?; подпиши меня; возобновить; возобновите
    возобновить рассылку; начать; начни; начните; продолжить; снова подписаться; пишите мне снова
    можете писать снова?; верните меня; alta; darme|dame|denme de alta; dar de alta
    quiero darme de alta; iniciar; empezar; comenzar; inicio; reactivar; suscribir; suscribirme
    suscríbeme; suscríbanme; suscribirse; reanudar; volver a suscribirme; activar mensajes
    quiero mensajes otra vez; démarrer; commencer; abonner; s abonner; m abonner; réabonner
    me réabonner; abonnez moi; réabonnez moi; reprendre; recommencer; réactiver; réinscrire
    me réinscrire; réinscrivez moi; reprenez les messages?; anmelden; anmeldung; starten
    abonnieren; wieder anmelden|abonnieren|starten; melde|meldet mich wieder? an; fortsetzen
    weiter; aktivieren; wieder aktivieren; nachrichten wieder? an; schreibt mir wieder; começar
    recomeçar; voltar; voltar a receber; inscrever; inscrever me; me inscrever
    me inscreva de novo?; inscreva me; retomar; retomar mensagens; reativar; subscrever
    quero receber de novo; quero voltar a receber; assinar; cadastrar; me cadastra de novo?
    iscrivi; iscrivimi; inizia; aanmelden; inschrijven; zapisz; başla; mulai; शुरू; शुरू करें; 开始
    订阅; 開始; 시작
"""

# May stand before or after such a word.
POLITE = """
    please; pls; plz; plss; thanks; thank you; thanks a lot; many thanks; thx; ty; tnx; hi; hello
    hey; hi there; good morning|evening|afternoon; dear all|team; sorry; now; right now
    immediately; asap; already; ok; okay; kindly; sir; madam; can|could|would you; will you
    i want you to; בבקשה; תודה; תודה רבה; תודה מראש; שלום; היי; הי; סליחה; נא; אנא; אפשר; מבקש
    מבקשת; בוקר|ערב טוב; עכשיו; מיד; כבר; אוקיי; אוקי; bevakasha; toda; من فضلك; من فضلكم; لو سمحت
    لو سمحتم; لو سمحتوا; لوسمحت; شكرا; شكرا جزيلا; رجاء; ارجوكم; الرجاء; ارجوك; عفوا; مرحبا
    السلام عليكم; صباح|مساء الخير; الان; الحين; فورا; يا جماعه; الله يخليكم; عافاك; عافاكم; بليز
    خلاص; пожалуйста; пж; пожалуйста прошу; прошу; спасибо; заранее; здравствуйте; привет
    добрый день|вечер; доброе утро; извините; сейчас; немедленно; вас; por favor; porfavor; xfa
    xfavor; gracias; muchas gracias; hola; porfa; porfis; buenos días; buenas tardes|noches
    buenas; disculpe; perdón; ahora; ya; svp; stp; s il vous plaît; sil vous plaît; s il te plaît
    sil te plaît; merci; merci beaucoup; merci d avance; bonjour; bonsoir; salut; désolé; désolée
    maintenant; veuillez; bitte; danke; danke schön; vielen dank; hallo; guten tag|morgen|abend
    hi zusammen; entschuldigung; jetzt; sofort; moin; servus; grüezi; obrigado; obrigada; obg; pfv
    pf; se faz favor; sff; faz favor; olá; oi; bom dia; boa tarde|noite; desculpe; agora
"""

STOP = f"{WORDS};{_MILD};{LISTS};{REQUESTS};{LABELS}"

SIGNS = "🛑"
EARNEST = "🙏🛑✋🚫❌⛔😡😠🤬👎😤🙄"  # beside a stop word; one who laughs may be joking
