"""German."""

from ..table import Table
from . import de_people as people

TABLE = Table(
    language="de",
    script="latin",
    yes="""
        ja; jaa; jo; joa; jup; jep; jepp; jawohl; yep; jap; yes; jawoll; aber ja; klar; klaro
        klar doch
        na klar; ja klar; natürlich; natuerlich; selbstverständlich; selbstverstandlich
        selbstverstaendlich; auf jeden fall|fall; aufjedenfall; jedenfalls dabei; unbedingt; sicher
        sicherlich; aber sicher; safe; definitiv; absolut; freilich; logo; logisch; gern; gerne
        sehr gern|gerne; mit größtem vergnügen; mit dem größten; von herzen gern|gerne
        liebend gern|gerne; zusage; zugesagt; ich|wir sage|sagen gern? gerne? zu; sage|sagen zu
        hiermit sage|sagen; bestätige; bestätigen; bestätigt; bestättige; bestätigung
        nehme|nehmen die|deine|eure|ihre einladung gerne? gern? an?; einladung gerne? an
        nicht entgehen; nicht verpassen; auf keinen fall verpasse|verpassen|entgehen
        verpasse|verpassen ich|wir das? auf keinen fall; um keinen preis verpassen
        verpasse|verpassen ich|wir|das? nicht; verpasse ich nicht
        kaum erwarten; freue mich|uns drauf|darauf|auf|schon|riesig|sehr
        freuen uns|mich drauf|darauf|auf|schon|riesig|sehr; sehen uns dort|da|auf|am|bei|dann
        zähl|zählt|zählen auf mich|uns; mit mir|uns rechnen; rechnet|rechne mit mir|uns
        dürft|könnt|kannst mit; reserviert|reserviere|reservier uns|mir; ich auch; wir auch; bis zum
        bis dann; bis samstag|sonntag|dann|bald; passt; läuft; geht klar; bin am start; am start
        mit von der partie; es ist uns eine ehre; eine ehre; angenommen; unser kommen
        meine teilnahme; unsere teilnahme; ohne zweifel; keine frage
        mit großem? vergnügen|freude|freuden; sowas von dabei; trag|tragt uns|mich
        möchten|dürfen|können|wollen|würden gerne zusagen
    """,
    no="""
        nein; nee; nö; noe; ne; nope; nei; nä; nein danke; leider nein; leider nicht; leider nciht
        laider nicht; nicht möglich|moeglich; absage; absagen; abgesagt; sage|sagen leider? ab
        muss|müssen|mussen leider? absagen|passen|verzichten; lehne|lehnen dankend? ab
        lehnen dankend ab; ablehnen; verhindert; verplant; diesmal|dieses nicht|mal
        diesmal leider nicht; dieses mal nicht; vielleicht|dann|ein? nächstes|anderes|andermal mal
        ein andermal; ein anderes mal; nächstes mal; ich passe; muss passen; ohne mich|uns
        rechnet|rechne nicht mit; unmöglich; keine chance|zeit|lust; kein interesse; keiner von uns
        niemand von uns; auf keinen fall; keinesfalls
        geht|klappt|passt|schaffe|schaffen leider? es? das? nicht; wird leider? nichts; nicht drin
        bin|sind raus; nicht dabei; entschuldigt|entschuldigen uns; zu weit; kein bock
        müssen stornieren; storniert|storniere|stornieren; nicht schaffen
        nehme|nehmen|nimmt nicht teil; natürlich|sicher|bestimmt|definitiv|garantiert nicht
        nicht da; wird leider? nix; leider raus; bin raus; verzichte; verzichten; zählt nicht auf
        zähl nicht auf; kein bedarf; nächste mal; nächsten mal; bleiben zu hause
        sagen mit bedauern ab; sagen ab; von uns keiner; leider? nicht möglich; zeitlich nicht
    """,
    cannot="kann|können|kan|koennen|konnen|könen leider? nicht; kann|können nich",
    go="""
        komme; kommen wir|gerne?; kommen; komen; dabei; da sein; dabei sein
        nehme|nehmen|nimmt gerne? teil; teilnehmen; teilnahme
        werde|werden da|dabei|kommen|teilnehmen|anwesend sein?; erscheine; erscheinen
        schaue|schauen vorbei; reise|reisen an; treffen ein; feiern mit; komm; kommst; anwesend
        mit dabei; mitfeiern; klappt; schaffe|schaffen es; begleiten; simma dabei; mia kemma; kemma
        kemman; kumm; kumman; kumme; kimm; chume; chum; chömed; chöme; kommet
        bin|sind|sein|seid gerne? dabei|anwesend
    """,
    be="bin|sind um; bin|sind da",
    to_go="""
        kommen; teilnehmen; dabei sein; da sein; erscheinen; mitkommen; mitfeiern; vorbeikommen
        zu kommen; anreisen; sein; dabeisein; zu sein; dazukommen
    """,
    they_go="kommt; kann kommen",
    can="""
        kann; können; kan; könen; koennen; werde; werden; darf; dürfen; wird; schaffe; schaffen
        habe vor; haben vor; plane; planen
    """,
    wish="""
        würde|würden|wäre|wären|möchte|möchten gerne|gern|liebend?; würde gerne|gern
        freue|freuen mich|uns zu?; hätte|hätten gerne|gern?; will; wollen; wollte; wollten
    """,
    not_="""
        nicht; nciht; kein; keine; keinen; nie; niemals; keinesfalls; keiner; niemand; weder; nich
        nid; nöd; nüt
        ned; net
    """,
    sorry="""
        leider; laider; sorry; tut mir|uns so? leid; entschuldige; entschuldigung; entschuldigt
        entschuldigen; verzeih; verzeihung; bedaure; bedauern; bedauerlicherweise; schade; zu schade
        schweren herzens; mist; sry; bedauere; pardon
    """,
    away="""
        im urlaub|ausland|krankenhaus|dienst; in urlaub|quarantäne|elternzeit
        auf reisen|reise|dienstreise|geschäftsreise; verreist
        andere|anderen hochzeit|termin|feier|einladung|veranstaltung; anderweitig
        schon was|etwas vor|verplant; was|etwas anderes? vor
        muss|müssen|arbeite|arbeiten an? dem? tag? arbeiten; muss arbeiten; arbeiten muss
        nachtschicht; spätschicht; schicht; dienst; krank; erkältet; corona; prüfung; prüfungen
        klausur; bereits verplant|vergeben|gebucht; nicht in der stadt; kein babysitter
        keinen babysitter; beschäftigt; arbeite an|am|leider; was anderes geplant|vor; im urlaub
    """,
    how="""
        zu? spät; zu? spaet; verspätet; allein; alleine; früh; früher; vor; lange
        mit leeren Händen
    """,
    spirit="in gedanken; im geiste; im herzen; gedanklich; im geist",
    maybe="""
        vielleicht; vllt; viell; evtl; eventuell; möglicherweise; womöglich
        mal sehen|schauen|gucken|kucken; weiß|weiss|wissen ich? es? noch? nicht
        weiß|weiss ich? noch? nicht; keine ahnung; kp; nicht sicher; unsicher; nicht ganz sicher
        mir nicht? sicher; noch nicht; versuche; versuchen; versuch; probiere; hoffe; hoffen
        hoffentlich; wahrscheinlich; vermutlich; voraussichtlich; denke; denken
        ich denke schon|ja|nicht; glaube; glauben; glaub; glaube schon|nicht|ja; schätze
        kommt darauf|drauf an; hängt von|davon ab?; je nach
        sage|sag|sagen|gebe|geben dir? euch? noch? morgen? später? bescheid; bescheid
        melde|melden mich|uns; klären; klaren; abklären; schau mal; schauen wir|mal; sprechen
        absprechen; fragen; frage noch; rücksprache; zu früh; 50/50; fünfzig; jein; ja und|oder nein
        überlege; überlegen; könnte; könnten; unter vorbehalt; vorbehalt; unklar; noch offen; offen
        wird sich zeigen; antworte; antworten; später; falls möglich; schwierig; bezweifle; zweifle
        eher; eher nicht; unentschlossen; wohl; sehe ich noch; noch nicht zusagen
        erst nächste|morgen|später zusagen
    """,
    if_="wenn; falls; sofern; vorausgesetzt; unter der bedingung; solange; ob; insofern; nur wenn",
    ask="""
        gibt es; gibts; wo; wann; wer; was; wie; welcher; welche; welches; warum; wieso; weshalb
        wohin; woher; wessen; um wie; um wieviel; kann ich meine|mit|noch|jemanden|mein|meinen|den
        darf ich|man; dürfen wir|die|kinder; können wir mit|die|noch|unsere; könnt ihr|sie
        kannst du; kommt ihr|er|sie; kommst du; seid ihr; bist du; findet; ist es|das|der|die|da
        sind kinder|sie|die; hat|habt|haben|hast ihr|sie|du|es; muss man|ich|ab; soll|sollen ich|wir
        wird es|das; braucht ihr; ab wann; bis wann; schickst du; schicken sie; könntest; könntet
        könnten sie
    """,
    but="aber; jedoch; allerdings; obwohl; trotzdem; dennoch; nur",
    who="""
        er; sie; meine frau; mein mann; mein freund; meine freundin; mein bruder; meine schwester
        meine eltern; meine mutter; mein vater; die kinder; meine kinder; mein sohn; meine tochter
        kinder; eltern; der kleine; die kleine; schwiegereltern; oma; opa; mein partner
        meine partnerin; mama; papa
    """,
    other="""
        link; falsche nummer; verwählt; falsch verbunden; ruf mich|an; rufen sie; rufe an; anrufen
        ruf; erhalten; bekommen; bekam; schon geantwortet|zugesagt|gesagt|bescheid; geantwortet
        öffnen; funktioniert; adresse; geschenk; umgezogen; nachricht gesehen; code; passwort
        nachrichten; auf der arbeit; arbeit; hauptstraße; webseite; seite; gelesen; das bin ich
        ja hallo; ich kenne; kenne; nichts bekommen; verstehe; nicht meine; hören; wer ist das
        wer sind sie; komme nicht rein|klar|durch|weiter
    """,
    void="""
        wird sicher|bestimmt|garantiert|sicherlich toll|super|schön|lustig|gut|klasse|mega
        sicher|bestimmt|garantiert toll|super|lustig|klasse|mega; sicher ein tolles|schönes fest
        kein problem|problem|ding|stress|thema; ohne probleme|problem|frage; warum|wieso nicht
        nicht nur; nicht früher|fruher|gleich|eher|sofort geantwortet|gemeldet?
        nicht geantwortet|gemeldet|geschrieben|gesehen; späte antwort|rückmeldung; verspätete
        sorry|entschuldige|entschuldigung|entschuldigt|verzeih|tut für|dass|die|das|mir
        tut mir leid die|dass|für|wegen; erst|war nicht sicher
        war|waren ich|wir? mir|uns? nicht sicher; erst jetzt gesehen; kann es nicht glauben
        kann es kaum glauben; nicht glauben; etwas später
        etwas|bisschen|wenig verspätet|spät|später; früher gehen|los|weg; später dazu; wenn möglich
        falls nötig; esse|essen|trinke|trinken nicht|kein|keinen|keine; ohne kinder|die; alles klar
        kaum; mit verspätung; schon mal; wenn ihr|du was|etwas|hilfe|noch; aber müssen früher|etwas
        müssen aber früher; nicht lange; nicht weit; gar keine frage; nicht so spät; nicht schlimm
        nicht dein ernst; keine probleme|sorge|sorgen|ursache
    """,
    day="montag; dienstag; mittwoch; donnerstag; freitag; samstag; sonntag",
    warm="""
        danke; danke schön|sehr|dir|euch; dankeschön; vielen|besten|herzlichen|lieben|tausend dank
        dank; für die|eure|deine|ihre freundliche? nette? liebe? einladung; einladung; glückwunsch
        herzlichen glückwunsch; glückwünsche; gratuliere; gratulation; gratulieren; alles gute|liebe
        hallo; hi; hey; guten tag|morgen|abend; moin; servus; grüezi; liebe; lieber; liebes
        liebe|viele|herzliche|beste grüße; grüße; gruß; lg; vg; ok; okay; oki; super; toll; prima
        klasse; perfekt; wunderbar; schön; cool; geil; mega; großartig; fein; bitte; haha; wow; oh
        hab|haben euch|dich lieb; viel glück|spaß|erfolg; euer; eure; herzlich; freude; freut
        freue|freuen mich|uns; wir freuen uns; ich freue mich; bis bald; sehr geehrte; familie
        wie schön; feiert schön; mazel tov; glück; wünsche; wünschen; hurra; juhu; yeah; lieb
        mit freundlichen grüßen
    """,
    light="""
        ich; wir; es; das; die; der; den; dem; ein; eine; einen; uns; euch; dich; dir; mir; mich
        sich; sehr; so; auch; alle; alles; und; zu; zum; zur; bei; an; am; auf; in; im; mit; von
        für; ist; bin; sind; seid; wird; da; dort; hier; dann; schon; noch; gerne; gern; dieser
        diesem; diesen; diese; tag; abend; wochenende; hochzeit; feier; fest; party; hiermit
        wirklich; ganz; ja; als; gemeinsam; zusammen; beide; um; gegen; denn; eurer; eure; leider
        daher; deshalb; herzlich; natürlich; mal; doch; war; nun; eh; eigentlich; halt; eben; aber
        heute
        morgen; diesmal
    """,
    plain="""
        woche; verrückt; habe; haben; hatte; nachricht; erst; jetzt; gesehen; heute; morgen; gestern
        januar; februar; märz; april; mai; juni; juli; august; september; oktober; november
        dezember; kinder; auto; zug; bahn; flug; hotel; zimmer; kleid; gekauft; uhr; stunde; stunden
        minuten; später; früher; antwort; spät; weil; wenn; wie; oder; vor; nach; aus; bis; durch
        über; unter; zwischen; etwas; wenig; viel; mehr; personen; erwachsene; insgesamt; nur
        allein; alleine; freund; freundin; nummer; meine; mein; unsere; unser; seine; ihre; frau
        mann; baby; vegetarisch; vegetarier; vegan; essen; trinken; gehen; müssen; muss; soll
        trauung; kirche; geburtstag; geht; los; angst; bescheid; gut; schlecht; besser; familie
        weber; eltern; zusagen; besprechen; gewesen; gekommen; nichts
    """,
    numbers="""
        null = 0; eins = 1; einer = 1; zwei = 2; zwo = 2; zweien = 2; zwoa = 2; zwee = 2; twee = 2
        zwa|zwaa|zwöi = 2
        zwoi = 2; drei = 3; drü = 3; dree = 3; drai = 3; dreie|drüü|drui = 3
        vier = 4; viere = 4; veer = 4; fünf = 5; fuenf = 5; fünfe = 5; füf = 5; föif = 5; foif = 5
        vieri = 4; föifi|füfi|fümf|fümfe|fimf|fünwe|feif = 5; sächs|sächsi|seggs|segs = 6
        siebene|siem|siwwe|sibni|seebn|sibä = 7; achti|oacht = 8; neune|nüün|nüni = 9
        zäh|zähn|zehni|zääh|tein = 10; elfe|öif = 11; zwölfe|zwölfi|zwelf|zwöif = 12
        sechs = 6
        sechse = 6; söss = 6; sieben = 7; siebn = 7; sibe = 7; acht = 8; neun = 9
        zehn = 10; zehne = 10
        elf = 11; zwölf = 12; zwoelf = 12; dreizehn = 13; vierzehn = 14; fünfzehn = 15
        sechzehn = 16; siebzehn = 17; achtzehn = 18
        neunzehn = 19; zwanzig = 20; einundzwanzig = 21; zweiundzwanzig = 22; dreiundzwanzig = 23
        vierundzwanzig = 24
        fünfundzwanzig = 25; dreissg = 30; vierzig = 40; fünfzig = 50; dreißig = 30; dutzend = 12
        ganzes dutzend = 12; halbes dutzend = 6; drei viertel = 0
    """,
    party="""
        ehepaar = 2; zu füft|füfte = 5; z|zu vierte = 4; z|zu dritte = 3; z|zu zweite = 2
        alle|älle siebene = 7; alle neune = 9; dreiköpfige = 3; vierköpfige = 4; fünfköpfige = 5
        sechsköpfige = 6; siebenköpfige = 7; fünfer gespann|gruppe|trupp = 5; zu neunen = 9
        vierer gespann|gruppe|trupp = 4; dreier gespann|gruppe|trupp = 3; zu sechste = 6
        nur ich|i = 1; ich allein|alleine|solo = 1; alleine = 1; allein = 1; solo = 1; elei = 1
        alloa = 1; alloans = 1; aloa = 1; nur ich alleine = 1
        zu|z zweit|zwein|zweien|zwoat|tweet = 2; zzweit = 2; zzwoat = 2; to tweet = 2
        zu|z|zo dritt|dreien = 3; zdritt = 3; to dreet = 3
        zu|z|zo viert|vieren = 4; zviert = 4; to veert = 4; zu|z fünft|fünfen = 5; zfünft = 5
        to fieft = 5; zu|z|zo sechst|sechs = 6; zsechst = 6
        zu|z siebt|siebent|sibet = 7; zsiebt = 7; zsibet = 7; zu acht|achten = 8; zacht = 8
        zu neunt = 9; zu zehnt = 10; zu elft = 11; zu zwölft = 12; zu dreizehnt = 13
        wir beide|beiden = 2; beide = 2; beiden = 2; beidi = 2; baide = 2; bede = 2
        wir|mir|mia|uns zwei|zwoa = 2; alle beide = 2; alle vier|viere = 4
        alle|alli drei = 3; alle|alli fünf|fünfe = 5; alle|alli sechs = 6
        alle|alli sieben|sibe = 7; wir drei = 3; wir vier = 4; wir|uns fünf = 5; eine|1 person = 1
        ein platz|stuhl = 1; alle|alli zwei = 2
        als paar|pärchen|ehepaar = 2; wir|uns 2 = 2; wir|uns 3 = 3; wir|uns 4 = 4
        im|als doppelpack = 2; im zweierpack = 2; im dreierpack = 3
        im viererpack = 4; im? fünferpack = 5; duo = 2; trio = 3; quartett = 4; quintett = 5
        nur meine wenigkeit = 1; bloß ich = 1; lediglich ich = 1; ganz allein|alleine = 1
        nur für mich = 1; mich allein = 1; ohne begleitung|anhang|partner|partnerin = 1
        single ticket = 1; als single = 1; bringe? niemanden mit = 1
        einen stuhl|platz für mich = 1; nur einer|eine|eins = 1; sonst keiner|niemand = 1
        einzelperson = 1
    """,
    we_are="""
        wir sind; wir werden; wir kommen; sind wir; insgesamt
        mir|mia|mer|wi sind|san|sin|sünd|hend
        insgesamt sind|kommen wir; familie mit; gruppe von; tisch für; zusage für; bestätige für?
        anzahl; personenzahl; sind; werden; für; kommen; alle; wir; uns; also; oiso; macht
        das sind|macht|wären; sinds; simma; simmer; san; san ma; sin; sünd; mit; nur; bloß; kommet
        chömed; kumman; kemman
        teilnehmer; teilnehmerzahl; anmeldung für; melde an; plant|rechnet mit; tragt|trag uns mit
        jetzt; bleiben; sondern; braucht; brauchen; reserviert
        reserviere; reservier; bitte; =; alli; von uns
        sind also; daher; wieder; so; auf; somit; demnach; quatsch; nee; mach|macht; wir anderen
        die anderen
        heißt
    """,
    in_all="""
        draus; daraus; von uns; insgesamt; zusammen; total; gesamt; alles in allem
        inklusive|inkl|incl mir
        mit mir; mich eingeschlossen|mitgerechnet|inklusive; stück; stk; hoch; an der zahl
        von unserer seite; aus unserem haus; alles zusammen; vom stammtisch|verein|team; kommen
        kommet; simma
    """,
    me="""
        ich; mich; i; ig; iech; isch; ik; icke; ick; meinereiner; meine? wenigkeit; moi; isch
        euer|eure oma|opa|tante|onkel
    """,
    one=people.ONE,
    people=people.PEOPLE,
    adults=people.ADULTS,
    group=people.GROUP,
    kids=people.KIDS,
    pairs="paare; ehepaare; pärchen; paaren; ehepaaren",
    vague=people.VAGUE,
    own=people.OWN,
    and_="und; u; un; &; sowie; dazu; samt; nebst",
    with_="""
        mit; mitm; mitn; mim; in begleitung; zusammen mit; bringe; bringen; bring; samt; mitsamt
        nebst; gemeinsam mit; nehme; nehmen; nehm; nimm; schleppe; schlepp; schleife; bring noch
        schleppen; plus
    """,
    bring="bringe; bringen; bring; nehme; nehmen; nehm; nimm; schleppe; schlepp; schleppen",
    lack="ohne; außer; minus; abzüglich; statt; anstatt",
    joining="""
        mit mir; begleitet|begleiten mich; bringt|bringen mich; fährt|fahren mich; nimmt mich mit
        kommt|kommen mit mir mit?; sowie ich; fährt mit mir mit
    """,
    also="""
        auch; im schlepptau|gepäck|anhang; mit dabei; dabei; auch mit; ebenfalls
        kommt|chunnt auch? mit; fährt|fahren mit
        will|wollen mit; geht|gehen mit; muss auch? mit; mitkommt; mitkommen; mitkommt; auch dabei
        dazu; au mit; a mit; a dabei
    """,
    us="wir; uns; mia; mir; wi; mer; ma",
    plus="plus; +; zuzüglich; zzgl",
    or_="oder; bis; bzw",
    instead="""
        nein; nein doch; nein|ne|nee|ach warte|wart|halt; ach nee|ne|nein; halt nein; ups; warte
        wart; sorry; entschuldigung; ich meinte
        besser gesagt; jetzt; jetzt nur? noch?; jetzt doch|sind; vielmehr; korrektur; genauer gesagt
        doch; doch nur
    """,
    of_which="""
        davon; darunter; inklusive; inkl; einschließlich; ein vegetarier; wovon; von denen; devo
        einer davon
    """,
    out_of="von; aus; von den; von unseren; von insgesamt",
    about="""
        ca; circa; etwa; ungefähr; rund; mindestens; maximal; höchstens; bis zu; zwischen
        so um die; um die; vielleicht; knapp; gut; fast; über; wahrscheinlich; mehr als
    """,
    for_="für; mit; x; mal; zu; wir; ca; etwa; sind; alle; nur; sein; insgesamt",
    at="""
        um; gegen; ab; am; bis; bis zum; vom; zum; nach; vor; den; kurz nach|vor; so um; circa um
        nummer; ist; im; zimmer; tisch; geburtstag; seit; der; dem
    """,
    unit="""
        uhr; stock; stunden; stunde; minuten; min; tage; tagen; wochen; monate; jahre; jahren
        januar
        februar; märz; april; mai; juni; juli; august; september; oktober; november; dezember; km
        euro; prozent; mal; vegetarier; vegetarisch; vegan; veganer; nächte; h; ter; te; abends
        morgens; nachts; autos; jährige
    """,
    called="""
        nummer; nr; straße; strasse; zimmer; tisch; saal; tor; etage; stock; wohnung; hausnummer
        tag; haus; klasse; station; gruppe; raum; platz
        code; linie; gleis; hauptstraße; halle; bus; reihe
    """,
    aged="jahre|jahr|monate|wochen alt; j; jährige; jähriger; jährigen; jähriges; jahre",
    more="""
        mehr; weitere; weiterer; zusätzlich; zusätzliche; einer|eine|eins|ein|einen mehr
        noch einer|eine|eins|jemand
        dazu; ein weiterer|weiteres; eine weitere; plus eins
    """,
    fewer="""
        weniger; einer|eine|eins|ein weniger; minus; minus eins; abziehen; ab; streich|streicht
        einer|eine fällt|fallt weg|aus
    """,
    gone=people.GONE,
    skip="""
        ihr|euch|sie zwei|beide|beiden|drei|alle; eines tages; allen vieren|viern
        allein|alleine lassen|gelassen|trau|trauen|schaff|zuhause|daheim
        lasse? dich|euch|ihn|sie an? allein; nicht von allein|alleine
        keine zehn pferde; halb acht|sieben|sechs|fünf|vier|drei|zwei|neun|zehn|elf|zwölf|eins
        um|gegen halb; auf einmal; einmal; zweimal; für zwei|drei|vier
        tanze|isst|esse|trinke|trinkt für zwei|drei|vier; von allein; nicht allein|alleine
        nie allein; eltern beide
        mit dir|euch|ihnen|ihm|ihr; die einladung; ihr lieben; von denen; ersten; du und ich
        dich und mich; zwischen dir und mir; mich an; bei mir; dritten
    """,
    alone_yes="""
        j; joo; jaja; jap; jupp; da; jau; jaaa; ya; zusagen; annehmen; bestätigen; teilnehmen
    """,
    alone_no="n; nix; neee; näh; neh; noe; nicht; absagen; ablehnen",
    infinitives_end=("en", "ern", "eln"),
    not_twice=True,
    not_follows=True,
)
