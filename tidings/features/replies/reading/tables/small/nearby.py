"""Greek, Persian, Hungarian and Finnish."""

from ...table import Table

GREEK = Table(
    language="el",
    script="greek",
    small=True,
    yes="""
        με χαρά|μεγάλη μας?; εννοείται
        ναι; βεβαίως; βέβαια; φυσικά; σίγουρα; μετά χαράς; ευχαρίστως; επιβεβαιώνω; επιβεβαιώνουμε
    """,
    no="όχι; δυστυχώς όχι; αδύνατον; άλλη φορά; την επόμενη φορά; όχι ευχαριστώ; δεν γίνεται",
    cannot="""
        δεν μπορώ|μπορούμε; δε μπορώ|μπορούμε; δεν θα μπορέσω|μπορέσουμε; δε θα μπορέσω|μπορέσουμε
    """,
    go="""
        έρχομαι; ερχόμαστε; θα έρθω|έρθουμε|ρθω|ρθουμε|παρευρεθώ|παρευρεθούμε; θα είμαι|είμαστε εκεί
    """,
    to_go="έρθω; έρθουμε; παρευρεθώ",
    can="μπορώ; μπορούμε; θα μπορέσω|μπορέσουμε",
    not_="δεν; δε; μην; ποτέ; κανείς",
    sorry="δυστυχώς; λυπάμαι; λυπόμαστε; συγγνώμη; κρίμα",
    maybe="ίσως; μπορεί; δεν ξέρω|ξέρουμε; μάλλον; πιθανόν; θα δω|δούμε; ελπίζω; θα προσπαθήσω",
    if_="αν; εάν",
    ask="πού; που; πότε; ποιος; τι; πώς; πόσο; πόσοι",
    but="αλλά; όμως",
    warm="""
        ευχαριστώ; ευχαριστούμε; ευχαριστώ πολύ; συγχαρητήρια; να ζήσετε; γεια; καλημέρα; εντάξει
        οκ
    """,
    light="""
        εγώ; εμείς; όλοι; και; πολύ; το; τη; την; τον; στο; στη; με; για; μου; μας; θα; να; εκεί
        σας
    """,
    alone_yes="ναι ναι; ναι φυσικά; αποδοχή",
    alone_no="όχι όχι; απόρριψη",
    away="λείπω|λείπουμε; δουλεύω; έχω|έχουμε άλλη υποχρέωση",
    void="γιατί όχι",
)

PERSIAN = Table(
    language="fa",
    script="arabic",
    small=True,
    yes="""
        صد در صد
        بله; بلی; آره; اره; حتما; حتماً; با کمال میل; تایید می‌کنم
    """,
    no="""
        ایندفعه نه; نمیتونم|نمی‌تونم|نمی‌توانم|نمیتوانم بیام|بیایم
        نه; نخیر; نه ممنون; متاسفانه نه; نمیتوانم; نمی‌توانم; نمیتونم; نمی‌تونم; نمی توانم|تونم
        نمیتونیم; نمی‌تونیم
    """,
    go="""
        خدمت می‌رسیم|میرسیم; حضور خواهیم داشت
        میام; می‌آیم; میایم; می‌آییم; میاییم; می‌آم; خواهم آمد; خواهیم آمد; شرکت میکنم|میکنیم
        حاضر میشم|میشیم
    """,
    not_="نه; نمیام; نمی‌آیم; نمیایم; نمی‌آییم; نیستم; نیستیم; هیچ",
    sorry="متاسفم; متاسفانه; ببخشید; متأسفم; متأسفانه; شرمنده",
    maybe="شاید; نمیدانم; نمی‌دانم; نمیدونم; نمی‌دونم; ممکنه; احتمالا; ببینم; سعی; اگه بشه",
    if_="اگر; اگه",
    ask="کجا; کی; چه; چی; چطور; چند; آیا; چرا",
    but="ولی; اما",
    warm="ممنون; مرسی; متشکرم; تبریک; مبارک; سلام; باشه; خوب; خیلی ممنون",
    light="من; ما; همه; هم; خیلی; با; به; از; در; و; که; را; رو; عروسی",
    alone_yes="بله بله; اره حتما; میام",
    alone_no="نه نه; نمیام; نمی‌آیم; نمیایم",
    away="مسافرتم; مسافرتیم; مریضم; مریض هستم",
)

HUNGARIAN = Table(
    language="hu",
    script="latin",
    small=True,
    yes="""
        alig várom|várjuk
        igen; persze; természetesen; szívesen; örömmel; biztosan; naná; megerősítem
    """,
    no="""
        most nem; le kell mondanom|mondanunk; nem leszek|leszünk ott; nem lehetséges
        nem; sajnos nem; nem köszönöm|köszönjük; majd legközelebb; lehetetlen; nem tudok|tudunk
    """,
    go="""
        jövök; jövünk; megyek; megyünk; ott leszek|leszünk; elmegyek; elmegyünk
        részt veszek|veszünk
    """,
    to_go="jönni; menni; elmenni; eljönni",
    can="tudok; tudunk; fogok; fogunk",
    not_="nem; sem; soha; senki; se",
    sorry="sajnos; sajnálom; sajnáljuk; bocsánat; elnézést",
    maybe="""
        talán; nem tudom|tudjuk; lehet; valószínűleg; remélem; megpróbálom; meglátjuk; nem biztos
    """,
    if_="ha; amennyiben",
    ask="hol; mikor; ki; mi; hogyan; hány; hányan; hová",
    but="de; viszont",
    warm="köszönöm; köszönjük; köszi; gratulálok; gratulálunk; szia; sziasztok; rendben; oké; jó",
    light="én; mi; is; nagyon; a; az; és; ott; mind; mindannyian; el; meghívást; esküvőre",
    alone_yes="igen igen; ja igen; elfogadom",
    alone_no="nem; nem nem; elutasítom",
    away="""
        beteg vagyok|vagyunk; elutazunk; elutazom; külföldön vagyunk|leszünk|vagyok
        más programunk|programom van
    """,
    void="nem gond; miért ne",
    other="láttam; meghívót; megkaptam",
)

FINNISH = Table(
    language="fi",
    script="latin",
    small=True,
    yes="kyllä; joo; juu; tottakai; totta kai; ehdottomasti; mielellään; varmasti; vahvistan",
    no="""
        joudun|joudumme perumaan; ei
        valitettavasti ei; ei kiitos; ei käy; ensi kerralla; mahdotonta; ei onnistu
    """,
    cannot="en|emme pääse|voi|pysty|ehdi",
    go="""
        tulen|tulemme mielelläni|mielellämme; tullaan molemmat
        tulen; tulemme; tullaan; osallistun; osallistumme; pääsen; pääsemme; olen|olemme paikalla
    """,
    not_="en; emme; ei; eivät",
    sorry="valitettavasti; anteeksi; pahoittelen; harmi; ikävä",
    maybe="ehkä; en|emme tiedä; mahdollisesti; toivottavasti; katsotaan; yritän; luultavasti",
    if_="jos; mikäli",
    ask="missä; milloin; kuka; mitä; miten; kuinka",
    but="mutta; vaan",
    warm="kiitos; kiitoksia; onnea; onneksi olkoon; hei; moi; hienoa; hyvä; kiva",
    light="minä; me; mä; myös; kaikki; ja; on; sinne; häihin; juhliin; tule; oikein; paljon",
    alone_yes="kyllä kyllä; joo joo; jees",
    alone_no="en tule; emme tule; ei tulla; en pääse; emme pääse",
    away="olen|olemme kipeä|kipeänä|kipeitä",
    void="ei mitään? ongelmaa; miksi ei",
    other="kutsun; sain kutsun",
)

TABLES = (GREEK, PERSIAN, HUNGARIAN, FINNISH)
