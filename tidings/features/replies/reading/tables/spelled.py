"""Hebrew, Arabic and Russian in Latin letters, as they are typed on foreign keyboards."""

from ..table import Table

TABLE = Table(
    language="spelled",
    script="latin",
    yes="""
        betach; beteach; barur; besimcha; bsimcha; bekef; bekeif; bevadai; behechlet; kamuvan
        measher; measheret; aiwa; aywa; eywa; akid; akeed; tab3an; taba3an; na3am; naam; bitta2keed
        bil ta2kid; bikol sror; mwafe2; konechno; konesho; obyazatelno; objazatelno; s udovolstviem
        da konechno; podtverzhdayu; ugu; da da; ken betach|megia|megiim|ani
    """,
    no="""
        lo toda; lo hapaam; lo mistader; letzari lo; letsari lo; mevatel; mevatlim; ein matzav
        lo yachol|yechola|yecholim|nuchal|uchal|ochal; la2; la shukran; lil asaf; lel asaf
        ma ba2dar; ma b2dar; mish ha2dar; mish 2ader; ba3tezer; msh ha2dar; mesh ha2dar; ma fini
        ma fina; net; nyet; k sozhaleniyu net?; ne smogu; ne smozhem; ne mogu; ne mozhem
        ne poluchitsya; uvy; ne pridem; ne pridu; ne budem; ne budu
    """,
    go="""
        megia; megi'a; megiah; megiim; megi'im; magia; nagia; agia; ba'im; baim; navo; avo
        nihye sham; ehye sham; nihiye sham; megiot; jay; jaye; jayeh; jayin; jayeen; jayyin
        ra7 neji; rah neji; ra7 eji; hanigi; hanegy; haji; gayin; gaya; gay el; bneji; pridem; pridu
        priedem; priedu; pridiom; prisoedinimsya
    """,
    be="nihye; ehye; nihiye; budem; budu",
    to_go="lehagia; lavo; lehagi'a; neji; eji; a7dar; priiti; priyti; priehat; byt",
    they_go="yavo; tavo; pridet; budet; biji",
    can="nuchal; uchal; yachol; yechola; yecholim; ba2dar; a2dar; smogu; smozhem; mozhem",
    wish="esmach; nismach; samach; rotze; rotza; rotzim",
    not_="lo; mish; msh; mesh; mush; mosh; ma; la; ne; ein; mafi",
    sorry="""
        letzari; letsari; letzarenu; slicha; mitztaer; mitzta'er; mitztaeret; asif; asfe; lil2asaf
        sorry; k sozhaleniyu; izvinite; prostite; zhal; ma3lesh
    """,
    away="bechul; be chul; miluim; bemiluim; chole; chola; msafer; msefrin; za granitsej",
    maybe="""
        ulay; ulai; lo batuach|betucha|yodea|yodaat; nishtadel; eshtadel; nekave; mekave; talui
        yimkin; yemken; mumkin; momken; mozhet; mozhet byt; navernoe; ne znayu; postaraemsya
        vozmozhno; inshallah ra7 7awel; balki
    """,
    if_="im; iza; esli; law",
    ask="""
        eifo; matai; ma hashaa; mi ze; yesh chanaya; efshar; kama; wen; wein; emta; meen; shu; gde
        kogda; vo skolko; kto
    """,
    but="aval; bas; ach; no; lakin",
    void="""
        ein baaya; ein beaya; lama lo; mish meshkle; mish mushkila; bez problem; pochemu net
        pochemu by i net; leish la2
    """,
    warm="""
        toda; toda raba; mazal tov; mazaltov; sababa; yalla; achi; achoti; bezrat hashem
        beezrat hashem; be ezrat hashem; shukran; mabrouk; mabruk; alf mabrouk; habibi; habibti
        inshallah; insha allah; inshalla; enshallah; wallah; spasibo; pozdravlyaem; pozdravlyayu
        privet; khorosho; horosho; shalom; salam; hayati; ya rab; besder; beseder; tamam
        kol hakavod
    """,
    light="""
        ani; anachnu; kulanu; gam; ana; e7na; e7ne; ihna; my; ya; vse; tozhe; ve; ra7; rah; kolna
        meod; mamash; at; she; ha; bikol; kteer
    """,
    numbers="""
        thlatha = 3; tlata = 3; ttlata = 3; arba3a = 4
        khamsa = 5; sitta = 6; sab3a = 7
        wahed|wa7ed|wa7da|wahda|wa7de|we7da = 1; jouj|juj|joje|jooj = 2; tnayn|etnen|tnain|thnen = 2
        tneen|itnin|etnein = 2; tlatha|talata|tlete|tleta|thalatha|tlaata|telata = 3
        rb3a|reb3a|rab3a|rba3a = 4; khmsa|khamsi|khemsa|kamsa = 5
        setta|sitte|stta|sette = 6; seb3a|sb3a|sabaa = 7; tmenya|tmanya|tmanye|tmnya = 8
        tes3a|ts3a|tis3a|tes3ud|ts3oud = 9; ashra|achra = 10; hdach = 11
        tnach|tnaash = 12; shalosh = 3; shesh = 6; sheva = 7; shmona = 8
        hamisha = 5; shisha = 6; shiva = 7; zouj = 2; tnin = 2; ltnen = 2; thnten = 2
        echad = 1; shtayim = 2; shnayim = 2; shlosha = 3; arba = 4; arbaa = 4; chamesh = 5
        chamisha = 5; wa7ad = 1; tnen = 2; tnein = 2; tlate = 3; arb3a = 4; khamse = 5; odin = 1
        dva = 2; tri = 3; chetyre = 4; pyat = 5; shest = 6; sem = 7; vosem = 8
    """,
    together="""
        vdvoem = 2; vtroem = 3; vchetverom = 4; vpyaterom|vpjaterom = 5; vshesterom = 6
        nas dvoe = 2; dvoe nas = 2; nas troe = 3; troe nas = 3; nas chetvero = 4; nas pyatero = 5
        nas shestero = 6; vsego dvoe = 2; vsego troe = 3
    """,
    party="""
        wa7di = 1; lwa7di = 1; lewa7di = 1; wahdi = 1
        rak ani = 1; levad = 1; shnenu = 2; shneinu = 2; zug = 2; bas ana = 1; la7ali = 1
        tolko|toko ya = 1; pridu|budu|priedu|poedu odin|odna = 1; odin|odna pridu|budu|priedu = 1
        dvoe|dvoih = 2; troe|troih = 3; chetvero|chetveryh = 4; pyatero = 5; shestero = 6
        semero = 7
    """,
    we_are="""
        jayin; rana; rana jayin; khaliha; khalihom; kheli; ya3ne; ya3ni
        tirshemu; nihye; nihiye; anachnu; e7na; nas; nas budet; megiim; nagia
    """,
    me="ani; ana; me; ya; my s|so; nas s|so; mnoj|mnoy",
    one="""
        mrati; benti; rajli; khouya; khoya; mratou
        khatibi; khatibe; ebni; sahbi; sa7bety; sa7bi
        ima; abba; savta; achoti; teta; baby; hama sheli; wel baby
        ishti; baali; ba'ali; chaver; chavera; marti; jozi; zawjti; zhena; zhenoj|zhenoi|zhenoy
        muzh; muzhem; podruga|podrugoj|podrugoi|podrugoy; mama|mamoj|mamoi|mamoy
        papa|papoj|papoi|papoy; syn|synom; doch|docheryu|dochka|dochkoj|dochkoi|dochkoy; brat|bratom
        sestra|sestroj|sestroi|sestroy; drug|drugom; paren|parnem
        devushka|devushkoj|devushkoi|devushkoy; rebenok|rebenkom
    """,
    people="ashkhas; nefesh; kbar; anashim; mevugarim; nefashot; ash5as; chelovek; cheloveka",
    adults="mevugarim",
    kids="yeladim; wlad; wladi; drari; awlad; 5awati; detej; detey; deti; detmi; rebenka",
    and_="ve; u; w; i",
    with_="im; ma3; s; so; my|nas s|so",
    plus="plus; +",
    at="be; bshaa; beshaa; esa3a; v; k",
    unit="baerev; chasov; vechera; el masa",
    alone_yes="ken; kenn; ken ken; da; daa; aywa; ee; eh; aha; tamam jay; hai",
    alone_no="lo; loo; lo lo; la; la2; laa; net; ne; nea; nyet",
)
