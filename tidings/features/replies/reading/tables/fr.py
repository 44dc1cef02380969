"""French."""

from ..table import Table

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
    """,
    no="""
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
    """,
    cannot="""
        je peux|peu|pourrai|pourrais|peut pas; on|nous peut|pourra|pouvons|pourrons pas
        ne peux|peut|pouvons|pourrai|pourrons|pourra|pourrais|pourrait malheureusement? pas
    """,
    go="""
        je viens; viens; viendrai; viendrons; venons
        on vient|viendra|arrive|passe|passera|débarque|vien
        serai|serons|sera|suis|sommes|seront|serrons là|la|présent|présente|présents|présentes|des
        serai|serons|sera là; y serai|serons|sera; serai|serons|sera parmi|avec; j arrive; arrivons
        arriverons; arriverai; on arrivera; participe; participerai; participerons; participons
        assisterai; assisterons; assiste; me|nous joindrai|joindrons|joins; je passe; je passerai
        sera là; fera la fête; ferons le déplacement; on descend; fais le déplacement; on débarque
        joindre à vous; répondons présents; jviens
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
        pas en france|ville
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
        peux|peut pas encore? te|vous? dire|répondre|confirmer|promettre
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
        c est qui; qui êtes vous?
    """,
    void="""
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
        quelle question
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
    numbers="""
        zéro = 0; un = 1; une = 1; deux = 2; trois = 3; quatre = 4; cinq = 5; six = 6; sept = 7
        huit = 8; neuf = 9; dix = 10; onze = 11; douze = 12; quinze = 15; vingt = 20
    """,
    party="""
        juste moi = 1; seulement|uniquement|que moi = 1; moi seul|seule|uniquement = 1
        je viens|viendrai|serai seul|seule = 1; en solo = 1; seul = 1; seule = 1; tous les deux = 2
        toutes les deux = 2; nous deux = 2; les deux = 2; à deux = 2; en couple = 2
        tous les trois = 3; tous les quatre = 4; tous les cinq = 5; à trois = 3; nous trois = 3
        tous les six = 6; rien que moi = 1
    """,
    we_are="""
        nous|on|n serons|sera|sommes|est|serions|serait; serons; sommes; on vient|viendra|arrive à?
        nous viendrons|venons à?; à; au total; total de|:?; famille de; groupe de; table de|pour
        confirme pour?; confirmons pour?; présence de|pour; pour; places pour; compter; serons à
        on sera à
    """,
    in_all="d entre nous; au total; en tout; total; moi compris; tous ensemble",
    me="moi; je; j; moi-même",
    one="""
        ma? femme|mari|copine|copain|compagne|compagnon
        ma? conjoint|conjointe|mère|père|soeur|frère|fille
        ma? fils|fiancée|fiancé|épouse|époux|maman|papa|tante|oncle|cousine|cousin|chérie|chéri
        mon mari|copain|compagnon|conjoint|père|frère|fils
        mon fiancé|époux|chéri|ami|amie|papa|oncle|cousin
        ma copine|compagne|femme|mère|soeur|fille|fiancée|amie|maman
        un|une|mon|ma ami|amie|invité|invitée|accompagnant|accompagnante
        un|une|mon|ma enfant|bébé|collègue|personne|pote|copain|copine; le bébé
        notre bébé|fils|fille; quelqu un; mon mec|homme; ma nana|meuf
    """,
    people="""
        personnes; personne; adultes; adulte; places; place; invités; invité; convives; couverts
        têtes; pers; participants; chaises
    """,
    adults="adultes; adulte",
    kids="""
        enfants; enfant; bébés; bébé; amis; amies; petits; ados; filles; garçons; fils; gosses
        loulous; parents; frères; soeurs
    """,
    and_="et; &; ainsi que",
    with_="avec; accompagné de; accompagnée de; accompagné par; j amène; amène; emmène; j emmène",
    plus="plus; +",
    or_="ou",
    instead="""
        non; enfin; enfin non; pardon; désolé; plutôt; ou plutôt; je veux|voulais dire; maintenant
        maintenant on est; finalement; en fait; rectification; attends; non attends
    """,
    so="donc je|j|on|nous|oui|non",
    of_which="dont; parmi lesquels; y compris; un végétarien; inclus",
    for_="pour; x; être; au nombre de; environ; est; les; tous les; serons",
    at="""
        à; vers; le; vers les; dès; après; avant; jusqu à; à partir de; autour de; numéro; est; de
        rue; au; du; en; sur les; pour
    """,
    unit="""
        h; heures; heure; min; minutes; minute; jours; jour; semaines; semaine; mois; ans; an
        janvier; février; mars; avril; mai; juin; juillet; août; septembre; octobre; novembre
        décembre; km; euros; euro; fois; rue; avenue; pour cent; végétarien; végétariens
        végétariennes; du soir|matin; nuits; cadeaux; bis; boulevard; er; ème; e
    """,
    called="""
        rue; numéro; chambre; salle; table; porte; étage; appartement; avenue; code; ligne; bus
        quai; hall; taille
    """,
    alone_yes="""
        o; ui; voui; wi; oue; oé; owi; présent; avec plaisir; accepter; confirmer; participer
    """,
    alone_no="n; nn; no; nop; nein; noon; naan; refuser; décliner",
    infinitives_end=("er", "ir", "re", "oir"),
    not_follows=True,
)
