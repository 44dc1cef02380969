"""Italian and Romanian."""

from ...table import Table

ITALIAN = Table(
    language="it",
    script="latin",
    small=True,
    yes="""
        sì; si; certo; certamente; certo che sì; sicuramente; sicuro; assolutamente sì?; ovviamente
        volentieri; molto volentieri; con piacere; confermo; confermiamo; confermato; accetto
        accettiamo; contateci; conta|contate su di me|noi; non mancherò|mancheremo; non vedo l ora
        non vediamo l ora; non me la|lo perdo; non ce la|lo perdiamo
    """,
    no="""
        no; no grazie; purtroppo no; mi dispiace no; declino; decliniamo; impossibile; rifiuto
        devo|dobbiamo rinunciare|declinare|annullare; sarà per la prossima; un altra volta
        non ce la faccio|facciamo; non se ne parla; certo che no; assolutamente no; no purtroppo
    """,
    cannot="non posso|possiamo|potrò|potremo|riesco|riusciamo|riuscirò|riusciremo",
    go="""
        vengo; veniamo; verrò; verremo; ci sarò|saremo|sono|siamo; partecipo; partecipiamo
        parteciperò; parteciperemo; arrivo; arriviamo; sarò|saremo presente|presenti|lì|là
    """,
    be="sarò; saremo",
    to_go="venire; partecipare; esserci; essere presente|presenti",
    they_go="viene; verrà; vengono; verranno",
    can="posso; possiamo; potrò; potremo; riesco; riusciamo",
    wish="""
        vorrei; vorremmo; mi|ci piacerebbe; felice|felici|lieto|lieta|lieti di; verrei volentieri
    """,
    not_="non; mai; nessuno; né",
    sorry="purtroppo; mi|ci dispiace; scusa; scusate; scusami; peccato",
    away="all estero; in vacanza; in viaggio; malato; malata; lavoro quel; ho un altro impegno",
    maybe="""
        forse; non so; non sappiamo; non lo so; magari; probabilmente; può darsi; vediamo; vedrò
        ci penso; proverò; provo; proviamo; spero; speriamo; dipende; ti|vi faccio|farò sapere
        non sono sicuro|sicura; penso; credo
    """,
    if_="se; a meno che",
    ask="dove; quando; a che ora; chi; cosa; come; c è; posso portare; quanto; quale",
    but="ma; però; tuttavia",
    who="mia|la moglie; mio|il marito; mio figlio; mia figlia; lui; lei; loro; i miei",
    void="nessun problema; non c è problema; non vi preoccupate; non ti preoccupare; perché no",
    warm="""
        grazie; grazie mille; tante grazie; ciao; auguri; tanti auguri; congratulazioni; complimenti
        buongiorno; buonasera; bene; bello; bellissimo; ok; va bene; per l invito; dell invito
        un abbraccio; baci; evviva; che bello
    """,
    light="""
        io; noi; tutti; anche; molto; e; il; la; lo; l; un; una; di; a; al; alla; in; con; per; mi
        ci; vi; ti; che; c è; così; proprio; davvero; tutta; famiglia; matrimonio; festa; sono
        siamo; è
    """,
    numbers="""
        uno = 1; due = 2; tre = 3; quattro = 4; cinque = 5; sei = 6; sette = 7; otto = 8; nove = 9
        dieci = 10
    """,
    party="solo io = 1; da solo|sola = 1; in due = 2; tutti e due = 2; in tre = 3; in quattro = 4",
    we_are="siamo; saremo; veniamo; verremo in?; in; per; confermo; confermiamo",
    in_all="in tutto; in totale",
    me="io",
    one="mia? moglie; mio? marito; il mio compagno; la mia compagna; mio figlio; mia figlia",
    people="persone; persona; adulti; adulto; posti; invitati; di noi",
    kids="bambini; bambino; bambina; figli; amici",
    and_="e; ed",
    with_="con; insieme a; porto",
    plus="più; +",
    or_="o; oppure",
    instead="no; no aspetta; scusa; anzi; adesso; ora; cioè",
    at="alle; il; dalle; verso; al",
    unit="ore; minuti; anni; euro; giorni",
    alone_yes="sisi; esatto; confermare; presente; presenti; sì sì",
    alone_no="no no; rifiutare; declinare; assente",
)

ROMANIAN = Table(
    language="ro",
    script="latin",
    small=True,
    yes="""
        sigur că da; evident; confirm prezența; cu mare drag; nu lipsim|lipsesc
        da; desigur; sigur; bineînțeles; cu plăcere; confirm; confirmăm; cu siguranță; cu drag
    """,
    no="""
        altă dată; data viitoare; nu vin; nu venim
        nu; nu mulțumesc; din păcate nu; imposibil; nu pot; nu putem; nu reușim; nu reușesc
    """,
    go="""
        voi|vom fi prezent|prezentă|prezenți
        eu vin; vin cu|și; da vin; venim; voi veni; vom veni; particip; participăm; o să vin|venim
        voi|vom fi acolo
    """,
    to_go="veni; participa; ajunge",
    can="pot; putem; voi; vom",
    not_="nu; nici; niciodată",
    sorry="din păcate; îmi|ne pare rău; scuze; regret",
    maybe="poate; nu știu; nu stiu; probabil; vedem; sper; încerc; nu sunt sigur|sigură",
    if_="dacă",
    ask="unde; când; cine; ce; cum; cât",
    but="dar; însă",
    warm="mulțumesc; multumesc; mulțumim; salut; bună; felicitări; casă de piatră; mersi",
    light="eu; noi; toți; și; la; cu; să; o; de; foarte; îmi; ne; pentru; invitație; nuntă; mai",
    numbers="unu = 1; doi = 2; două = 2; trei = 3; patru = 4; cinci = 5; șase = 6",
    we_are="suntem; vom fi; venim",
    people="persoane; persoană; adulți",
    kids="copii; copil",
    and_="și",
    with_="cu",
    alone_yes="dada; da da",
    alone_no="nu; nu nu",
    away="suntem|sunt plecați|plecată|plecat; avem|am alte planuri; lucrez",
    void="nicio problemă; fără probleme; de ce nu",
    plain="adulți; copil; un; doi",
)

TABLES = (ITALIAN, ROMANIAN)
