"""Polish, Czech and Slovak, Croatian and Serbian in Latin letters."""

from ...table import Table

POLISH = Table(
    language="pl",
    script="latin",
    small=True,
    yes="""
        tak; tak tak; pewnie; oczywiście; jasne; na pewno; z przyjemnością; z radością; chętnie
        bardzo chętnie; potwierdzam; potwierdzamy; potwierdzam obecność; zgadzam się; do zobaczenia
        nie przegapię|przegapimy; nie odpuszczę|odpuścimy; nie mogę|możemy się doczekać
    """,
    no="""
        nie; niestety nie; nie dziękuję|dziękujemy; nie tym razem; innym razem; następnym razem
        odmawiam; odmawiamy; rezygnujemy; muszę|musimy odmówić|odwołać|zrezygnować; niemożliwe
        nie da|dam|damy rady?|się?; nie ma mnie|nas; nie ma szans|mowy; na pewno nie
        oczywiście że nie; nie uda się mi|nam?; nie uda mi|nam się
    """,
    cannot="nie mogę|możemy|będę mógł|mogła; nie będziemy mogli",
    go="""
        przyjdę; przyjdziemy; przyjadę; przyjedziemy; będę obecny|obecna; będziemy obecni; idę
        idziemy; wpadnę; wpadniemy; dotrę; dotrzemy; pojawię|pojawimy się; biorę|bierzemy udział
        jestem za; wezmę|weźmiemy udział; jadę; jedziemy; pojadę; pojedziemy; pójdę; pójdziemy
    """,
    be="będę; będziemy; bede; bedziemy",
    to_go="przyjść; przyjechać; być; uczestniczyć; dotrzeć; pojawić się; wziąć udział",
    they_go="przyjdzie; przyjdą; będzie; będą; przyjedzie",
    can="mogę; możemy; zamierzam; zamierzamy; planuję; planujemy; uda się",
    wish="chciałbym; chciałabym; chcielibyśmy; chcę; chcemy; z chęcią",
    not_="nie; nigdy; nikt; ani",
    sorry="niestety; przykro mi|nam; przepraszam; przepraszamy; szkoda; wybaczcie",
    away="""
        za granicą; na urlopie|wakacjach; chory; chora; chorzy; wyjeżdżam; wyjeżdżamy; pracuję
        w pracy
    """,
    maybe="""
        może; chyba; nie wiem; nie wiemy; prawdopodobnie; zobaczę; zobaczymy; postaram|postaramy się
        spróbuję; spróbujemy; mam|mamy nadzieję; być może; dam|damy znać; nie jestem pewien|pewna
        zależy; myślę; jeszcze nie wiem; raczej
    """,
    if_="jeśli; jeżeli; jak się; o ile; czy",
    ask="gdzie; kiedy; o której; kto; co; jak; ile; czy; jaki; jaka; dlaczego",
    but="ale; jednak; lecz",
    who="mój mąż; moja żona; mąż; żona; syn; córka; brat; siostra; rodzice; dzieci; on; ona; oni",
    void="""
        nie ma problemu|sprawy; nie szkodzi; nie martw|martwcie się; czemu|dlaczego nie
        nie ma za co
    """,
    warm="""
        dziękuję; dziękujemy; dzięki; dzieki; cześć; hej; witam; dzień dobry; gratulacje; gratuluję
        super; świetnie; ok; okej; dobrze; fajnie; miło; pozdrawiam; pozdrawiamy; za zaproszenie
        serdecznie; buziaki; wszystkiego najlepszego
    """,
    light="""
        ja; my; mnie; nas; nam; mi; się; bardzo; też; także; wszyscy; i; z; ze; na; w; we; do; o; to
        ten; tego; tam; tu; już; za; od; dla; że; cała; rodzina; ślub; ślubie; wesele; weselu; razem
    """,
    numbers="""
        jeden = 1; jedna = 1; dwa = 2; dwie = 2; dwoje = 2; trzy = 3; troje = 3; cztery = 4
        czworo = 4; pięć = 5; sześć = 6; siedem = 7; osiem = 8
    """,
    plain="dwoje; dwójkę; troje; tylko; sam; sama; moja; mój; żoną; mężem; rodziną; całą",
    party="tylko ja = 1; sam|sama = 1; we dwoje = 2; we dwójkę = 2; oboje = 2; we troje = 3",
    we_are="będzie nas; będziemy w?; nas będzie; jest nas; będziemy we; przyjdziemy w?",
    in_all="razem; w sumie; łącznie",
    me="ja; mną",
    one="""
        żona; żoną; mąż; mężem; partner; partnerem; partnerka; partnerką; syn; synem; córka; córką
    """,
    people="osób; osoby; osoba; dorosłych; dorośli; z nas",
    kids="dzieci; dziecko; dzieckiem; dziećmi",
    and_="i; oraz",
    with_="z; ze; razem z",
    plus="plus; +",
    or_="lub; albo",
    instead="nie; nie czekaj; czekaj; przepraszam; teraz; to znaczy; znaczy; właściwie",
    at="o; od; na; po",
    unit="godziny; minut; lat; dni; zł",
    alone_yes="tak; tk; no tak; taak; akceptuję; przyjmuję; potwierdź",
    alone_no="nie; niee; nie nie; odrzuć; odmowa",
)

CZECH = Table(
    language="cs",
    script="latin",
    small=True,
    yes="""
        s radostí; potvrzuji|potvrzujeme účast?; počítejte s námi|mnou
        nenecháme|nenechám si to ujít
        ano; áno; jo; jasně; jasné; určitě; samozřejmě; samozrejme; rád|ráda|rádi přijdu|přijdeme
    """,
    no="""
        tentokrát ne; musím|musíme odmítnout|zrušit; nestihnu|nestihneme to?
        nezvládnu|nezvládneme to?; nebudu|nebudeme tam
        ne; nie; bohužel ne; bohužiaľ nie; ne děkuji|díky; příště; jindy; nepřijdu; nepřijdeme
        neprídem
    """,
    cannot="""
        nemohu; nemůžu; nemůžeme; nemôžem; nemôžeme; nedorazím; nedorazíme; nezúčastním
        nezúčastníme
    """,
    go="""
        budu|budeme tam
        přijdu; přijdeme; prídem; prídeme; dorazím; dorazíme; zúčastním; zúčastníme; přijedu
        přijedeme
    """,
    be="budu; budeme; budem",
    to_go="přijít; dorazit; prísť; zúčastnit",
    can="můžu; mohu; můžeme; môžem; môžeme",
    not_="ne; nikdy; nikdo",
    sorry="bohužel; bohužiaľ; omlouvám; omlouváme; je mi líto; promiňte; škoda",
    maybe="možná; možno; asi; nevím; nevíme; neviem; snad; uvidíme; zkusím; zkusíme; pravděpodobně",
    if_="pokud; jestli; když; ak",
    ask="kde; kdy; kedy; kdo; co; jak; ako; kolik",
    but="ale; však",
    warm="""
        děkuji; děkujeme; díky; ďakujem; ďakujeme; ahoj; gratuluji; gratulujeme; dobrý den; super
    """,
    light="já; my; ja; se; sa; si; moc; všichni; také; taky; i; a; na; v; s; to; za; pozvání",
    numbers="jeden = 1; dva = 2; dvě = 2; tři = 3; čtyři = 4; pět = 5; šest = 6",
    we_are="bude nás; budeme; přijdeme; nás bude; prídeme",
    people="lidí; lidi; osob; osoby; dospělí",
    kids="dětí; děti; detí",
    alone_yes="ano ano; jojo; jj; áno áno",
    alone_no="ne ne; nn; nie nie",
    away="jsem|jsme nemocná|nemocný|nemocní; nejsem|nejsme doma",
    void="není problém; proč ne; to není problém",
)

SERBIAN = Table(
    language="sr-latn",
    script="latin",
    small=True,
    yes="""
        s radošću; obavezno; jedva čekam
        da; naravno; svakako; sigurno; rado; sa zadovoljstvom; potvrđujem; potvrđujemo
    """,
    no="""
        ovaj|ovog put|puta ne; moram|moramo otkazati; neću|nećemo moći|stići|doći
        ne; nažalost ne; drugi put; nemoguće; ne hvala; ne mogu; ne možemo
    """,
    go="""
        biću|bićemo tu|tamo; bit ću|ćemo tamo|tu
        dolazim; dolazimo; doći ću|ćemo; stižem; stižemo; prisustvovaću; tu sam|smo
    """,
    not_="ne; nikad; niko; neću; nećemo",
    to_go="doći; doci; prisustvovati",
    can="mogu; možemo",
    sorry="nažalost; žao mi|nam je?; izvinite; izvini; oprostite",
    maybe="možda; mozda; ne znam; ne znamo; verovatno; vjerojatno; videćemo; vidjet ćemo; nadam se",
    if_="ako",
    ask="gde; gdje; kada; ko; tko; šta; što; kako; koliko",
    but="ali; međutim",
    warm="hvala; hvala puno; čestitam; čestitamo; zdravo; bok; pozdrav; super",
    light="ja; mi; svi; i; na; u; s; sa; se; je; vrlo; jako; će; ćemo; ću; pozivu; poziv",
    alone_yes="da da; naravno da",
    alone_no="neću; nećemo; ne ne",
    away="na putu smo|sam; radim taj dan; imamo|imam druge|drugi planove|plan",
    void="nema problema; zašto ne",
    other="pozivnicu; dobila|dobio sam",
)

TABLES = (POLISH, CZECH, SERBIAN)
