"""French."""

from ..table import Table
from . import fr_people

TABLE = Table(
    language="fr",
    script="latin",
    yes="""
        oui; ouais; ouai; ouep; ouaip; yep; yes; moui oui; mais oui; bien sûr; bien sure
        bien entendu; évidemment; absolument; certainement; carrément; assurément; tout à fait
        sans hésiter; sans faute; avec plaisir|joie|bonheur|grand|enthousiasme; avec grand plaisir
        avec le plus grand plaisir; avec plaizir; volontiers; je|nous|on confirme|confirmons|confime
        confirme; confirmé; confirmée; confirmons; c est confirmé|ok|bon|oui; présence confirmée
        j accepte; accepte; acceptons; on accepte; comptez|compte|compter sur moi|nous; j en suis
        on en est; nous en sommes; j suis chaud|partante|partant; partant; partante; partants
        présent; présente; présents; ça roule; hâte d y être; trop? hâte; ai|avons|a hâte
        hâte de vous? voir|fêter|venir; on se voit là|la|le|samedi|dimanche|vendredi|là-bas
        à samedi|dimanche|vendredi alors?; rendez vous le|là|samedi; pour rien au monde
        ne raterai|raterais|rate|raterons|raterait|raterions|manquerai pas|ça?
        ne manquerais|manquerons|manque|manquerait|louperai|louperais|loupe pas|ça?
        rater|manquer|louper ça; réservez|réserve|gardez|garde nous|moi|une
        inscris|inscrivez|note|notez|ajoutez nous|moi; on répond présent; réponds présent; moi aussi
        nous aussi; un plaisir; un honneur; confirmer notre|ma|sa présence
        plaisir de vous confirmer; n en doutez|doute pas; sans hésitation; sans aucun doute
        de la partie; répondons favorablement; ben oui; comptez|compte sur notre|ma présence
        dis|dit|dire|dirais|dirai|disons pas|jamais non; impossible|difficile de dire non
        impossible|difficile de refuser; peux|peut|pouvons|pourrais|saurais|saurait pas? dire non
        ne? peux|peut|pouvons|pourrais|saurais pas? refuser|dire
        ne? refuse|refuserais|refuserai|refusons pas|rien|jamais; on refuse pas|jamais|rien
        peux|peut|pouvons|pourrais|pourrai pas manquer|louper|rater|refuser|laisser
        pourra|vais|va|allons|saurais pas manquer|louper|rater|refuser|laisser
        pas manquer|louper|rater ça|ca|cela|une; pas manquer|louper de venir
        ne manquera|manquerai|manquerons pas de
        ne peux|peut|pouvons|pourrais|vais|va|allons pas manquer|louper|rater|refuser
        loupe|louperai|louperais|louperait|rate pas ça|ca|cela
        raterai|raterais|raterait|manquerai|manquerais pas ça|ca|cela
        hors de question de|que rater|manquer|louper; hors de question de|que ne pas
        pas question de rater|manquer|louper
        rien ne? pourra|va|peut|saurait m|nous empêcher|arrêter|retenir
        rien ne? m|nous empêchera|arrêtera|retient|retiendra; pas m|nous empêcher|arrêter|retenir
        m|nous empêchera|arrêtera|empechera|retiendra pas de? venir|être?
        pas qui va|vont|vais m|nous? empêcher|arrêter|garder|manquer|rater|louper|dire
        va|vont m|nous empêcher de? venir; m empêcher d être|y|de
        n? annule|annulons|annulerai pas|rien|surtout
        ne? viendrai|viens|viendrons|viendra|vient|serai pas seul|seule|seuls
        ne? serons|sera|suis|venons|arriverai|arriverons pas seul|seule|seuls
        ne? viendrai|viens|viendrons|viendra|vient|arriverai|arriverons pas les mains vides
        ne? viens|viendrai pas tout|toute seul|seule; non content|contente|contents de venir
        des vôtres|votres|nôtres
        ne? serai|serons|sera|arriverai|arriverons être? pas en? retard|tard
        ne? viendrai|viendrons|vais|va|suis|est être? pas en? retard|tard; pas en retard
        comment manquer|rater|refuser|louper; comment dire non
        serai|serons|sera|suis des vôtres|votres; et comment; un peu que; tu penses bien
        plutôt deux fois qu une; sans problème on; ça marche on; les yeux fermés
        je|on|nous vous? rejoins|rejoindrai|rejoint|rejoindrons|rejoindra
        vous rejoins|rejoindrai|rejoindrons|rejoignons
        je|j|on ne? peux|peut|pourrais|pourrai pas dire|refuser|manquer|louper|rater non|ça|ca|cela?
        jpeux|jpourrai|jpourrais pas dire|refuser|manquer|louper|rater non|ça|ca|cela?
        impossible de manquer|rater|louper; impossible que je|on manque|rate|loupe
        personne ne? pourra|va m|nous empêcher|arrêter|retenir
        qui va|vont m|nous arrêter|empêcher|retenir|garder; sans moi impossible; c est pas moi qui
        vas|vais|va|allons pas laisser passer; ça ne se refuse|rate|manque|loupe pas
        ça se refuse|rate|manque|loupe pas
    """,
    no="""
        retirez|enlevez|retire|enlève moi|nous de la liste
        non; nan; nn; nope; non merci; malheureusement|hélas|désolé|désolée non|pas; pas cette fois
        pas cette année; une autre|prochaine fois; la prochaine fois
        peut-être|peut? être? une prochaine fois; pour une autre fois; ce sera pour; partie remise
        dois|devons|doit|vais|allons|suis|sommes devoir? obligé? contraint? annuler|décliner|refuser
        annule; annuler; annulons; annulez; décline; déclinons; décliner; au regret de
        je|nous refuse|refusons; je passe mon tour; passe mon tour; ne comptez|compte pas sur
        comptez|compte pas sur; ne nous|m attendez|attends pas; ne m intéresse pas
        pas intéressé|intéressée|intéressés; aucun de nous; personne ne vient; pas possible
        impossible; impossibilité; sans nous|moi cette?; absent; absente; absents; indisponible
        indisponibles; pas disponible|disponibles|dispo; pas moyen; hors de question
        ça va pas le faire; c est mort; c est non; bien sûr que non
        évidemment|certainement|clairement pas|non; faites sans moi|nous; va pas le faire
        coeur|coeurs sera|seront|est|sont|serons|serai avec; de tout coeur avec
        en pensée|pensées|esprit avec?; par la pensée; un|le coeur y sera|est; un autre jour
        une autre année; sera pour la|une prochaine; ça|ca sera pour; m abstiens|abstiendrai
        nous abstenons; je décline|dois décliner; sans façon; pas pour moi|nous
        faites|faire la fête sans moi|nous; trinquez|dansez|mangez sans|pour moi|nous; loin de vous
        très peu pour moi; va falloir faire sans moi|nous; devrez faire sans moi|nous
        jpasse mon tour; coeur y sera|est; passerai|passera|jpasserai la|le|les? chercher|manger
        sera sans moi|nous|votre; une autre occasion
    """,
    cannot="""
        je peux|peu|pourrai|pourrais|peut pas; on|nous peut|pourra|pouvons|pourrons pas
        ne peux|peut|pouvons|pourrai|pourrons|pourra|pourrais|pourrait malheureusement? pas
        peu|peux|pe pa|po venir?
        sais|sait|savons|saurai|saurais|saurons|saurait|saura pas|plus|pu venir|être|y|me|nous
        ne? sais|sait|savons|saurai|saurais|saurons|saura pas|plus venir
        pourrai|pourrons|peux|pouvons|peut plus|pu
    """,
    go="""
        je viens; viens; viendrai; viendrons; venons
        on vient|viendra|arrive|passe|passera|débarque|vien
        serai|serons|sera|suis|sommes|seront|serrons là|la|présent|présente|présents|présentes|des
        serai|serons|sera là; y serai|serons|sera; serai|serons|sera parmi|avec; j arrive; arrivons
        arriverons; arriverai; on arrivera; participe; participerai; participerons; participons
        assisterai; assisterons; assiste; me|nous joindrai|joindrons|joins; je passe; je passerai
        sera là; fera la fête; ferons le déplacement; on descend; fais le déplacement; on débarque
        joindre à vous; répondons présents; jviens; jvien; jserai; jsera; jvais|jva être là|la
        jarrive; on s ra là; serons|serai|sera présent|presente|presentes; nou|ns seron|serons là|la
        jy serai|sera; j y serai|sera|sré; chu là; j vas être là; vas|vais|va|vont être là; j viens
        me|nous rejoindrai|rejoindrons; honorerons|honoreront votre; ferons|ferai la route
        monterons|monte|montons à
    """,
    be="je|j serai; nous serons; on sera; serons; serai; sera",
    to_go="""
        venir; venire; être là|présent|présente|présents|des|parmi|avec; être; assister; participer
        se joindre; me joindre; nous joindre; passer; arriver; y être; y aller; faire le déplacement
        d être; me|nous libérer
    """,
    they_go="vient; viendra; viendront; viennent; peut",
    can="""
        peux; pouvons; peut; pourrai; pourrons; pourra; peu; compte; comptons; vais pouvoir
        allons pouvoir; va pouvoir; arrive à; vais; allons; va; prévois; pouvoir
    """,
    wish="""
        aimerais; aimerions; aimerait; aurais|aurions|aurait adoré|aimé|bien|voulu|tellement
        voudrais; voudrions; souhaite; souhaitons; adorerais; adorerions; adorerait
        ravi|ravie|ravis de|d
        serais|serions|serons|serai ravi|ravie|ravis|heureux|heureuse|enchanté|enchantés de|d?
        heureux de; enchanté de; envie de; avec joie de; aurais aimé; j adorerais; voulais; voulions
    """,
    not_="pas; ne; ni; jamais; aucun; aucune; personne; nul",
    sorry="""
        désolé; désolée; désolés; désolées; désoler; navré; navrée; navrés; malheureusement
        malheureusemen; hélas; dommage; excuse; excusez; excuses; pardon; regret; regrettons
        regrette; sorry; mille excuses; déso; snif; quel dommage; contretemps
    """,
    away="""
        à l étranger; en vacances|voyage|déplacement|congé|congés|quarantaine|weekend
        absent ce|pour; un autre mariage|événement|engagement|anniversaire; autre chose
        déjà pris|prise|quelque|un|engagés|prévu; quelque chose de prévu
        travaille ce|le|tard|samedi|cette; je travaille; je bosse; bosse; dois travailler
        de garde|service|astreinte; malade; malades; hospitalisé; hospitalisée; à l hôpital
        pas dispo; examen; examens; partiels; un empêchement; empêchement; pris ce|ailleurs; occupé
        occupée; occupés; trop loin; accouche; accouché; engagement préalable; déjà engagés
        pas en france|ville; à la mecque; la mecque; pèlerinage; omra; oumra; hajj
        une autre invitation|fête; autre mariage|invitation|fête; aux urgences; à la maternité
        au boulot ce|le|samedi; de nuit; en tournée|mission|stage|formation|deuil|arrêt; le plâtre
        covid; grippe; grippé; grippée; gastro; varicelle; opération; opéré; opérée; accoucher
    """,
    how="en retard; tard; seul; seule; seuls; tôt; avant; longtemps; les mains vides",
    spirit="""
        par la pensée; en pensée; en pensées; de tout coeur avec vous; de coeur avec; en esprit
        par le coeur
    """,
    maybe="""
        peut-être; peut être; ptet; ptêtre; p-e; éventuellement; possible; possiblement
        probablement; sûrement; sans doute; je|on|nous ne? sais|sait|savons pas encore?
        sais|sait pas; sais|savons pas encore?; aucune idée
        pas sûr|sûre|sur|sure|sûrs|certain|certaine; suis pas sûr|sûre|sur|sure; essaierai; essayer
        essaie; essaye; essaierons; essayerai; vais|va|allons essayer|tenter|voir; tenter; tenterai
        ferai|fera|ferons|fais|faisons mon|notre|tout|le possible|mieux?; de mon|notre mieux; espère
        espérons; espère que; pense; pensons; penses; crois; croit; suppose; imagine; dépend
        ça dépend; selon; te|vous dis|tiens|tient|redis|confirme ça|au|courant|demain?
        te|vous confirmerai|dirai|préviens|redirai|recontacte|rappelle ça|au|courant|demain?
        tiens au courant; reviens vers; regarde; vois; voir; on verra; verra; verrons; à voir
        réfléchis; réfléchir; réfléchit; dois demander|voir|vérifier; demander à; voir avec; 50/50
        cinquante; trop tôt; pas encore; j hésite; hésite; hésitons; doute; normalement; en principe
        a priori; sous réserve; à confirmer; confirmerai; confirmer; plus tard; oui et|ou non
        mitigé; je te dis; tiendrai au courant; je crois
        peux|peut pas encore? te|vous? dire|répondre|confirmer|promettre; 50% oui; oui 50; jpense
        pense que oui|non; crois que oui|non|c; peu etre; peut etre; ptetre; ptete; p être
        rien promettre; % oui; pas encore décidé; à vérifier; vérifier; 50%; 60%; 70%; 75%; 80%; 90%
        95%; c est oui ou|et non
    """,
    if_="si; s il; s ils; à condition; au cas; en cas; sous réserve; à moins; pourvu que; tant que",
    ask="""
        est ce; est-ce; où; c est où|quand|qui|quoi|combien|à|toujours|bien|encore; quand; quelle
        quel; quelles; quels; qui; que faut; quoi; combien; comment; pourquoi; à quelle; y a
        il y a un|des|du|une|t|de|quoi; il y aura|a; y aura
        je peux amener|emmener|inviter|ramener avec|accompagné|mes|un|une|mon|ma?
        on peut amener|emmener|ramener|inviter avec?; peut on; puis je; vous venez; tu viens
        faut il; dois je; avez vous; as tu; serait il; ça commence; ça se passe; êtes vous
        êtes-vous; ça va
    """,
    but="mais; cependant; toutefois; par contre; en revanche; quoique; même si; pourtant",
    who="""
        il; elle; ils; elles; ma femme; mon mari; mon copain; ma copine; ma mère; mon père
        mes parents; mes enfants; mon frère; ma soeur; mon fils; ma fille; les enfants; le petit
        la petite; mon conjoint; ma conjointe; ma belle; mes beaux; ma famille; ma grand
    """,
    other="""
        lien; mauvais numéro; trompé; trompée; erreur de numéro; appelle; appelez; rappelle
        appelle-moi; appelez-moi; reçu; recu; bien reçu; reçois; déjà répondu|confirmé|dit; répondu
        réponds; ouvrir; ouvre; marche pas; fonctionne; adresse; cadeau; déménagé; message; messages
        code; mot de passe; arrive pas à; vu l; site; page; répondrai; faire part; au travail
        c est moi; oui allô|allo; connais; rien reçu; pas reçu; comprends; compris; est pas mon
        c est qui; qui êtes vous?; mon numéro; mon numero; numéro de; le bon numéro|numero
        c est bien moi; c est toujours moi; raison; c quoi; vu; de la part de; au sujet de; facture
    """,
    void="""
        sûr que? ce|ça sera|va; sûrement super|génial|top; sûr que? ça sera
        pas de problème|souci|soucis|pb|blem|problèmes; pas de prob; aucun problème|souci
        sans problème|souci|soucis; pourquoi pas; ne t|vous inquiète|inquiétez pas
        t|vous inquiète|inquiétez pas; inquiète pas; ne pas avoir répondu
        pas avoir? répondu|vu avant|plus?; n avais pas vu; avais pas vu; n ai pas vu
        réponse tardive; réponds tard; du retard; pour le retard; pour la réponse
        désolé|désolée|désolés|pardon|excuse|excuse-moi|excusez pour|de|du|le|moi|nous
        n étais|étions pas sûr|sûre|sûrs; étais|étions pas sûr|sûre|sûrs; au début
        un peu de? retard; peu en retard; avec du? retard; mange|mangeons|bois|buvons pas
        sans les? enfants; si possible; si besoin; si vous|tu voulez|veux|avez|as
        s il vous|te plait|plaît; svp; stp; n y croit|crois pas; plus tôt; partira tôt
        pas trop tard; j en reviens pas; ça marche; pas mal; pas de cadeau; pas grave
        quelle question; viens|venons|vient de|d; viens|venons|vient tout|juste juste? de
        passe|passerai|passons|passera la soirée|journée|nuit
        passe|passerai|passons le weekend|week; pas fâché|fâchée|fachée|oublié; ai pas oublié
        pas oublié|oubliés; n avons|ai|a pas oublié; suis pas fâché|fâchée; en retard
        viens vers|aux; peux|peut pas dire à quel|combien
        ne? peux|peut pas vous|te dire à? quel|combien; pas les mains vides; pas seul|seule
        pas facile; non mais; je|j|on|nous viens|vient|venons tout|juste? juste? de|d
        je|j|on passe|passerai|passera la soirée|journée|nuit|le
        je|on ne? peux|peut|pourrai|pourrais pas venir seul|seule
        ne? peux|peut|pourrai|pourrais pas venir seul|seule
        je|on ne? peux|peut pas vous|te? dire à|a quel|combien
        ne? suis|sommes|est pas fâché|fâchée|fachée|malade|loin; je viens vers|aux
        on|je arrive pas|plus à; j arrive pas|plus à; et pas; et non pas; on vient de
        en reviens pas
        compte|comptez sur moi|nous pour faire|transmettre|dire|passer|prévenir|apporter
        pas laisser|laissez tomber; pas te|vous laisser; pas laisser passer; se marie
        se marient déjà?; non pardon|attends|attendez|finalement|désolé|désolée|plutôt|euh|en
        euh|ah|enfin|oups|mais|ben non; ah zut; oups
    """,
    day="lundi; mardi; mercredi; jeudi; vendredi; samedi; dimanche",
    warm="""
        merci; merci beaucoup|infiniment|mille|bien; mille mercis; remercie; remercions
        pour l invitation; pour votre|ton|cette aimable? gentille? invitation; invitation; invité
        de nous|m avoir invités|invité|invitée; félicitations; felicitations; félicitation; bravo
        mazal|mazel tov; bisous; bises; bisou; gros bisous; coucou; bonjour; bonsoir; salut; hello
        cher; chère; chers; chéri; chérie; les amis; ok; okay; d accord; daccord; dac; parfait
        super; génial; top; cool; trop bien; excellent; magnifique; chouette; oh; wow; waouh; haha
        mdr; lol; ptdr; on vous|t aime|embrasse; je vous|t aime|embrasse; vous embrasse; voeux; vœux
        de bonheur; bonheur; plein de; tous nos; bonne chance|soirée|journée|fête; inchallah; amour
        bien à vous; cordialement; beaucoup; heureux; heureuse; contents; contente; content
        trop contente|content|contents; émue; quelle joie|bonne|belle; belle; beau; nouvelle
        amitiés; avec amour; aimable; à bientôt; bientôt; ben; bah; mince; tkt
    """,
    light="""
        je; j; on; nous; c; ce; cet; cette; ça; ca; est; et; un; une; le; la; l; les; des; de; du; d
        à; a; au; aux; en; y; mon; ma; mes; ton; ta; tes; notre; nos; votre; vos; son; sa; ses; très
        tres; trop; bien; tout; tous; toutes; toute; aussi; là; ici; que; qu; qui; donc; alors; avec
        pour; sur; n; s; encore; vraiment; déjà; même; ensemble; soir; jour; jour-là; soir-là
        mariage; fête; cérémonie; soirée; être; été; malheureusement; suis; sommes; sont; chez; par
        moi; soi; ne; aujourd hui; demain; fois
    """,
    plain="""
        semaine; folie; vu; avant; après; retard; tôt; tard; partira; heure; heures; minutes; demain
        hier; matin; midi; janvier; février; mars; avril; mai; juin; juillet; août; septembre
        octobre; novembre; décembre; travail; enfants; voiture; train; avion; hôtel; chambre; billet
        billets; robe; acheté; fait; faire; chose; numéro; peu; parce; car; comme; ou; dans; entre
        vers; depuis; jusque; autre; rien; monde; personnes; adultes; nombre; seul; seule; fois
        prochaine; aimé; adoré; lendemain; végétarien; végétarienne; allergique; avoir; avons; ont
        ai; as; ceux; eux; elle; lui; leur; ami; amis; amie; famille; bébé; ne; jour; vous; te; t
        tu; m
    """,
    numbers=fr_people.NUMBERS,
    party=fr_people.PARTY,
    we_are=fr_people.WE_ARE,
    in_all=fr_people.IN_ALL,
    me=fr_people.ME,
    one=fr_people.ONE,
    people=fr_people.PEOPLE,
    together=fr_people.TOGETHER,
    group=fr_people.GROUP,
    vague=fr_people.VAGUE,
    own=fr_people.OWN,
    pairs=fr_people.PAIRS,
    joining=fr_people.JOINING,
    also=fr_people.ALSO,
    lack=fr_people.LACK,
    out_of=fr_people.OUT_OF,
    about=fr_people.ABOUT,
    aged=fr_people.AGED,
    skip=fr_people.SKIP,
    bring=fr_people.BRING,
    more=fr_people.MORE,
    fewer=fr_people.FEWER,
    gone=fr_people.GONE,
    kids=fr_people.KIDS,
    adults=fr_people.ADULTS,
    and_="et; &; ainsi que; pis; puis; et puis; et aussi; é; ainsi que de",
    with_=fr_people.WITH,
    plus="plus; +",
    or_="ou",
    instead="""
        non; enfin; enfin non; pardon; désolé; plutôt; ou plutôt; je veux|voulais dire; maintenant
        maintenant on est; finalement; en fait; rectification; attends; non attends
        euh|ah|oups|ben|mais non; ah zut; oups; zut; correction; attends|attendez
        non pardon|finalement|désolé|désolée|plutôt|euh; non en fait; mais finalement|finallement
        je recompte; erreur; rectif; du coup; au lieu de; enfin les
    """,
    so="donc je|j|on|nous|oui|non",
    of_which="""
        dont; parmi lesquels; y compris; un végétarien; inclus; en comptant; comptant; compris
        les petits compris
    """,
    for_="""
        pour; x; pr; être; au nombre de; est; serons; sera; c est; que; plus que; de nouveau
        du coup; genre; bien
    """,
    at="""
        à; vers; le; vers les; dès; après; avant; jusqu à; à partir de; autour de; numéro; est; de
        rue; au; du; en; sur les; pour
    """,
    unit=fr_people.UNIT,
    called=fr_people.CALLED,
    alone_yes="""
        o; ui; voui; wi; oue; oé; owi; présent; avec plaisir; accepter; confirmer; participer
    """,
    alone_no="n; nn; no; nop; nein; noon; naan; refuser; décliner",
    infinitives_end=("er", "ir", "re", "oir"),
    not_follows=True,
)
