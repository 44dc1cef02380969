"""German."""

from ..table import Table

TABLE = Table(
    language="de",
    script="latin",
    yes="""
        ja; jaa; jo; joa; jup; jep; jepp; jawohl; yep; yes; jawoll; aber ja; klar; klaro; klar doch
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
        daher; deshalb; herzlich; natürlich; mal; doch; war; eigentlich; halt; eben; aber; heute
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
        null = 0; eins = 1; eine = 1; ein = 1; einer = 1; zwei = 2; zwo = 2; zweien = 2; drei = 3
        vier = 4; fünf = 5; fuenf = 5; sechs = 6; sieben = 7; acht = 8; neun = 9; zehn = 10
        elf = 11; zwölf = 12; zwanzig = 20
    """,
    party="""
        nur ich = 1; ich allein|alleine|solo = 1; alleine = 1; allein = 1; zu zweit = 2
        zu zwein = 2; zu dritt = 3; zu viert = 4; zu fünft = 5; zu sechst = 6; zu siebt = 7
        zu acht = 8; wir beide = 2; beide = 2; wir zwei = 2; alle beide = 2; alle vier = 4
        alle drei = 3; alle fünf = 5; wir drei = 3; wir vier = 4; eine person = 1; alle zwei = 2
        als paar = 2
    """,
    we_are="""
        wir sind; wir werden; wir kommen mit?; sind wir; kommen mit; insgesamt
        insgesamt sind|kommen wir; familie mit; gruppe von; tisch für; zusage für; bestätige für?
        anzahl; personenzahl; sind; werden; für; kommen; alle; wir
    """,
    in_all="von uns; insgesamt; zusammen; total; gesamt; alles in allem",
    me="ich; mich; i; ik; icke; meinereiner; meine wenigkeit",
    one="""
        meine|meiner? frau|freundin|partnerin|verlobte|verlobten|mutter|mama
        meine|meiner? schwester|tochter|oma|schwiegermutter|kollegin|tante|cousine|gattin
        mein|meinem|meinen|meinen? mann|freund|partner|verlobter|verlobten|vater|papa
        mein|meinem|meinen|meinen? bruder|sohn|opa|kollege|kollegen|onkel|cousin|gatten
        ein|eine|einem|einer|einen freund|freundin|begleitung|gast|kind
        ein|eine|einem|einer|einen baby|person|kollegin|kollegen|kumpel; begleitung
        unser|unserem baby|sohn|kind; unsere|unserer tochter; das baby; frau; mann; jemand; jemanden
    """,
    people="""
        personen; person; erwachsene; erwachsenen; erwachsener; leute; leuten; gäste; gästen; plätze
        plätzen; platz; mann hoch; köpfe; pers; teilnehmer; stühle
    """,
    kids="""
        kinder; kindern; kind; freunde; freunden; freundinnen; babys; söhne; söhnen; töchter
        töchtern; kids; großeltern; jugendliche
    """,
    and_="und; u; &; sowie",
    with_="mit; in begleitung; zusammen mit; bringe; bringen; samt; plus",
    plus="plus; +",
    or_="oder; bis; bzw",
    instead="""
        nein; nein doch; nein warte; ne warte; warte; sorry; entschuldigung; ich meinte
        besser gesagt; jetzt; jetzt nur? noch?; jetzt doch|sind; vielmehr; korrektur; genauer gesagt
        doch; doch nur
    """,
    of_which="davon; darunter; inklusive; inkl; einschließlich; ein vegetarier; wovon",
    for_="für; mit; x; mal; zu; wir; ca; etwa; sind; alle; nur; sein; insgesamt",
    at="""
        um; gegen; ab; am; bis; bis zum; vom; zum; nach; vor; den; kurz nach|vor; so um; circa um
        nummer; ist; im; zimmer; tisch; geburtstag; seit; der; dem
    """,
    unit="""
        uhr; stunden; stunde; minuten; min; tage; tagen; wochen; monate; jahre; jahren; januar
        februar; märz; april; mai; juni; juli; august; september; oktober; november; dezember; km
        euro; prozent; mal; vegetarier; vegetarisch; vegan; veganer; nächte; h; ter; te; abends
        morgens; nachts; autos; jährige
    """,
    called="""
        nummer; nr; straße; strasse; zimmer; tisch; saal; tor; etage; stock; wohnung; hausnummer
        code; linie; gleis; hauptstraße; halle
    """,
    alone_yes="""
        j; joo; jaja; jap; jupp; da; jau; jaaa; ya; zusagen; annehmen; bestätigen; teilnehmen
    """,
    alone_no="n; nix; neee; näh; neh; noe; nicht; absagen; ablehnen",
    infinitives_end=("en", "ern", "eln"),
    not_twice=True,
    not_follows=True,
)
