"""Dutch, and Swedish, Danish and Norwegian together."""

from ...table import Table

DUTCH = Table(
    language="nl",
    script="latin",
    small=True,
    yes="""
        ja; jazeker; jawel; zeker; zeker weten; natuurlijk; tuurlijk; uiteraard; graag; heel graag
        met plezier; absoluut; gezellig ja; ik|wij|we bevestig|bevestigen; bevestigd; tel mij mee
        reken op mij|ons; missen we|ik niet; kijk er naar uit; tot dan; wil|willen niet missen
        ik|we zou dit voor geen goud willen missen
    """,
    no="""
        nee; neen; neej; nee dank je|u|jullie; nee bedankt; helaas niet|nee; jammer genoeg niet
        lukt|gaat niet; lukt|gaat helaas niet; gaat niet lukken; lukt me|ons niet; afwezig
        volgende keer; andere keer; moet|moeten afzeggen; zeg|zeggen af; onmogelijk; zonder mij|ons
        ben|zijn verhinderd; verhinderd; zeker niet; absoluut niet
    """,
    cannot="kan|kunnen helaas? niet",
    go="""
        kom; komen; ik kom; we|wij komen; ben|zijn erbij|er|aanwezig; erbij; aanwezig; doe|doen mee
        zal|zullen er zijn; zal|zullen aanwezig zijn; kom|komen graag; neem|nemen deel
        van de partij
    """,
    to_go="erbij zijn; aanwezig zijn; bijwonen; deelnemen; langskomen",
    they_go="komt",
    can="kan; kunnen; zal; zullen",
    wish="zou|zouden graag; wil|willen graag",
    not_="niet; geen; nooit; niemand",
    sorry="helaas; sorry; het spijt me|ons; spijt; jammer",
    away="op vakantie; in het buitenland; ziek; moet|moeten werken; andere verplichting|afspraak",
    maybe="""
        misschien; weet niet|nog; weet het niet; waarschijnlijk; hopelijk; ik denk; denk; hoop
        hopen; probeer; proberen; we zien wel; laat|laten nog? weten; twijfel; niet zeker
        hangt ervan af; kijken of; wellicht
    """,
    if_="als; indien; mits; tenzij; of",
    ask="waar; wanneer; hoe; wie; wat; welke; hoe laat; is er; mag ik; mogen we; kan ik; waarom",
    but="maar; echter",
    who="mijn man|vrouw|zoon|dochter|vriend|vriendin|ouders|broer|zus; hij; zij; mijn kinderen",
    void="geen probleem; geen punt; maak je geen zorgen; waarom niet; geen zorgen",
    warm="""
        dank; dank je|u|jullie wel?; bedankt; dankjewel; hoi; hallo; hey; gefeliciteerd; proficiat
        leuk; super; mooi; goed; prima; fijn; gezellig; veel plezier; groetjes; groet; liefs; ok
        oke; voor de uitnodiging; wat leuk
    """,
    light="""
        ik; wij; we; ons; mij; me; er; het; de; een; dat; dit; die; heel; erg; ook; allemaal; en
        van; voor; op; in; met; bij; naar; te; dan; wel; nog; al; jullie; je; u; zo; echt; bruiloft
        feest; is; zijn; ben
    """,
    numbers="""
        een = 1; één = 1; twee = 2; drie = 3; vier = 4; vijf = 5; zes = 6; zeven = 7; acht = 8
        negen = 9; tien = 10
    """,
    plain="zn; tweeën; drieën; vieren; alleen; met; mijn; vrouw; man; gezin; hele",
    party="""
        alleen = 1; alleen ik = 1; met zn|z'n tweeën = 2; met zn|z'n drieën = 3
        met zn|z'n vieren = 4
    """,
    we_are="we|wij zijn met?; zijn met; komen met; met; wij komen met",
    in_all="in totaal; totaal; van ons",
    me="ik; mij",
    one="mijn? vrouw|man|vriend|vriendin|partner|zoon|dochter",
    people="personen; persoon; volwassenen; volwassene; mensen; plaatsen; man",
    kids="kinderen; kind; kids; vrienden",
    and_="en",
    with_="met; samen met",
    plus="plus; +",
    or_="of",
    instead="nee; nee wacht; wacht; sorry; ik bedoel; nu; nu nog?; eigenlijk; correctie",
    at="om; rond; vanaf; op; na; voor",
    unit="uur; minuten; jaar; dagen; euro",
    alone_yes="jaa; joh ja; jep; ja hoor; ja graag; ik kom",
    alone_no="nee hoor; neenee; ik niet; nee sorry",
    not_twice=True,
    not_follows=True,
)

NORDIC = Table(
    language="sv",
    script="latin",
    small=True,
    unread=True,
    yes="""
        ja; jo; jepp; japp; javisst; absolut; självklart; selvfølgelig; såklart; gärna; gerne
        gjerne; givetvis; naturligtvis; säkert; klart; helt klart; bekräftar; bekræfter; bekrefter
        ja tack|tak|takk; med glädje|glæde|glede; vi ses
    """,
    no="""
        nej; nei; nix; nej tack|tak|takk; nei takk; tyvärr inte|nej; desværre ikke|nej
        dessverre ikke|nei; nästa|neste|næste gång|gang; en annan|anden|annen gång|gang; omöjligt
    """,
    cannot="kan inte|ikke; kan tyvärr|desværre|dessverre inte|ikke",
    go="kommer; jag|jeg|vi kommer; deltar; deltager; är|er med; kommer gärna|gerne|gjerne",
    to_go="komma; komme; delta; deltaga; deltage; vara med; være med",
    can="kan; ska; skal; vil; kommer att",
    wish="vill|vil gärna|gerne|gjerne; skulle gärna; vil gerne",
    not_="inte; ikke; icke; ej; aldrig; aldri; ingen",
    sorry="tyvärr; desværre; dessverre; ledsen; beklagar; beklager; förlåt; undskyld; synd",
    away="utomlands; på semester; på ferie; sjuk; syg; syk; bortrest; bortrejst; jobbar; arbejder",
    maybe="""
        kanske; måske; kanskje; vet inte|ikke; ved ikke; vet ej; förmodligen; sannolikt; hoppas
        håber; håper; försöker; prøver; tror; ser; får se; må se; eventuellt; osäker; usikker
    """,
    if_="om; hvis",
    ask="var; hvor; när; hvornår; når; vem; hvem; vad; hvad; hva; hur; hvordan; finns det",
    but="men; dock; dog",
    void="inga|ingen problem; inget problem; intet problem; varför inte; hvorfor ikke",
    warm="""
        tack; tak; takk; tack så mycket; mange tak|takk; tusen tack|takk; hej; hei; hejsan; grattis
        tillykke; gratulerer; trevligt; kul; roligt; bra; godt; fint; super; kram; klem; ok; okej
    """,
    light="""
        jag; jeg; vi; mig; meg; oss; os; är; er; det; den; en; et; ett; i; på; till; til; med; och
        og; också; også; alla; alle; så; väldigt; meget; veldig; för; for; af; av; att; at; der; där
        dit
    """,
    numbers="två = 2; to = 2; tre = 3; fyra = 4; fire = 4; fem = 5; sex = 6; seks = 6",
    we_are="vi är|er|blir|bliver; blir; bliver; vi kommer",
    people="personer; person; vuxna; voksne; st; stk",
    kids="barn; børn; vänner; venner",
    and_="och; og",
    with_="med",
    alone_yes="jaa; ja ja; yes box; jodå; jada",
    alone_no="nej nej; nei nei; niks; nejdå",
    not_twice=True,
    not_follows=True,
)

TABLES = (DUTCH, NORDIC)
