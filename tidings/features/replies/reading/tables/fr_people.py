"""French words for people and their number, spoken and regional forms included."""

NUMBERS = """
    zéro = 0; un|une = 1; deux = 2; trois = 3; quatre = 4; cinq = 5; six = 6; sept = 7; huit = 8
    neuf = 9; dix = 10; onze = 11; douze = 12; treize = 13; quatorze = 14; quinze = 15; seize = 16
    dix sept = 17; dix huit = 18; dix neuf = 19; vingt = 20; trente = 30; quarante = 40
    cinquante = 50; septante = 70; vingt et un|une = 21; vingt deux = 22; vingt trois = 23
    vingt quatre = 24; vingt cinq = 25; demi douzaine = 6; une demi douzaine = 6
    une? douzaine exactement|pile|juste = 12
"""
PARTY = """
    juste|seulement|uniquement|que|simplement moi|bibi|mézigue = 1; rien que moi|bibi = 1
    plus que moi = 1; y aura que moi|bibi = 1; que ma pomme = 1; moi tout? seul|seule|uniquement = 1
    moi toute|tte|tu seule|seul = 1
    je viens|viendrai|serai|viendrais|monterai|viendré seul|seule = 1; en? solo = 1; seul|seule = 1
    tout|toute|tte|tu seul|seule = 1; en? célibataire = 1; non accompagné|accompagnée = 1
    sans accompagnant|escorte|accompagnateur|cavalier = 1; sans cavalière|personne|+1 = 1
    un homme seul = 1; une|la seule personne|place|assiette = 1; un seul couvert = 1
    nous|ns deux|2 = 2; en|un|le|notre|mon couple = 2; en amoureux|duo|tandem = 2; un duo = 2
    nous|ns trois|3 = 3; un|le|notre|en trio = 3; nous|ns quatre|4 = 4; un|le|notre quatuor = 4
    nous|ns cinq|5 = 5; nous|ns six|6 = 6; nous|ns sept|7 = 7; elle|lui|eux et moi = 2
    le couple = 2; madame|mme et moi = 2; lui et moi = 2; elle et moi = 2; moi et elle|lui = 2
    une? personne seule = 1; pour une personne = 1; une personne = 1; une seule place = 1
    oui pour moi uniquement|seulement = 1; moi même uniquement = 1
"""
WE_ARE = """
    nous|on|n|ns serons|sera|sommes|est|serions|serait|seron|seras|ai|e|ets; serons; sommes
    on va|vas|vont être; va être; allons être; nous sommes|serons rendus; rendus
    on vient|viendra|arrive|passe|débarque|descend|monte à?; nous viendrons|venons|arrivons à?
    arrive|arrivons à; à; a; au total; total de|:?; famille|groupe|équipe|délégation de
    table de|pour; confirme|confirmons pour?; présence de|pour; pour; places pour; compter
    on sera|est à|plus?; compte|comptez|mets|mettez|met|note|notez|prévois|prévoyez nous?|moi|en?
    inscris|inscrivez|réserve|réservez|garde|gardez|ajoute|ajoutez nous?|moi? pour?
    ça fait|fera|nous; ça nous fait|fera; soit; c est à dire; resteront; restons; reste; serez
    il y aura; y aura; ne? serons|sera que; nous avons; donc; on passe|reste|revient à
"""
IN_ALL = """
    d entre nous; au total; en tout; en tt; total; moi|bibi compris|comprise|inclus|incluse
    tous ensemble; avec|dont moi; de|chez notre côté; pour nous; pour ns; présents|présentes
    au complet; au rapport; certain; pile; exactement
"""
ME = """
    moi; je; j; moi même; moi meme; bibi; ma pomme; ma gueule; mézigue; votre humble? serviteur
    votre servante; moé; mi; ma personne
"""
ONE = """
    mon|ma|son|sa|le|la|notre grand|grande|petit|petite frère|soeur|fils|fille
    mon|ma|son|sa|le|la|notre grand|grande|petit|petite mère|père|cousin|cousine
    mon|ma|son|sa|un|une grand|grande|petit|petite ami|amie|copain|copine|pote|ado|neveu|nièce
    mon|ma|son|sa|un|une vieux|vieil|vieille|jeune ami|amie|copain|copine|pote|ado|neveu|nièce
    femme|mari|copine|copain|compagne|compagnon|conjoint|conjointe|épouse|époux|fiancé|fiancée
    mère|père|soeur|sœur|frère|frere|mere|pere|fille|fils|maman|papa|tante|tata|tatie|oncle|tonton
    cousine|cousin|chéri|chérie|mamie|mémé|mamy|mami|mémère|papi|papy|pépé|pépère|mec|nana|meuf
    blonde|chum|homme|gars|daron|daronne|reus|reuf|frangin|frangine|frérot|soeurette|moitié|bru
    gendre|nièce|neveu|voisin|voisine|collègue|associé|associée|assistant|assistante|ami|amie|pote
    poto|colocataire|coloc|coépouse|marraine|parrain
    filleul|filleule|nounou|aînée|aîné|cadet|cadette
    benjamin|benjamine|bébé|bb|nourrisson|gamin|gamine|gosse|ado|adolescent|fiston|fistonne|puce
    loulou|poupon|bobonne|avocat|avocate|comptable|stagiaire|patron|patronne|vicaire|accompagnant
    accompagnante|accompagnateur|accompagnatrice|cavalier|cavalière|invité|invitée|go|khouya|khti
    ana|mama|fieu|enfant|bonhomme|garçon|aïeule|aïeul|hubby|poussette|loupiot
    belle mère|maman|soeur|fille|doche; beau frère|père|papa|fils; grand mère|père|maman|papa|tante
    petit|petite fils|fille|frère|soeur|ami|amie|copain|copine|bout|dernier|dernière|nouveau|monstre
    arrière petite|petit fille|fils
    le|la|mon|ma|notre|du petit|petite|vieux|vieille|grand|grande|dernier; nouveau né
    tendre époux|épouse; quelqu un; plus un; +1; mon aîné; ma go; une personne de plus
    un|une autre personne; un|une de plus; une amie; un ami; homme de ma vie; mini moi
"""
PEOPLE = """
    personnes|personne|adultes|adulte|places|place|invités|invité|convives|couverts|couvert|pers
    têtes|participants|participant|chaises|chaise|assiettes|assiette|bouches|entrées|ad|grands|grand
    résidents|joueurs|élèves|entrées|hommes|femmes|parts|billets|tickets|membres|délégués|âmes
    séminaristes|représentants|présents|présentes|bouche|tête|grandes|pèlerins|musiciens|végétariens
"""
KIDS = """
    enfants|enfant|enf|bébés|bébé|bb|amis|amies|petits|petit|petites|petite|ados|ado|filles|fille
    garçons|garçon|fils|gosses|gosse|loulous|loups|parents|frères|soeurs|gamins|gamin|gamines
    monstres|monstre|flos|gars|potes|pote|copines|copains|cousins|cousines|collègues|colocs
    mômes|bambins|marmots|jeunes|neveux|nièces|tantes|oncles|voisins|voisines|terreurs|bouts|nains
    associés|stagiaires|apprentis|papas|mamans|mamies|papis|grand mère; grands mères
    petits|petites enfants|gars|loups|monstres|fils|filles|derniers|bouts|frères|soeurs
    p tits gars|enfants|loups; ptits; ptites; beaux|belles frères|filles|soeurs|fils; fistons; puces
    poussettes; enfants de moins; minots; drôles; mioches; chenapans; tornades; diables
"""
TOGETHER = """
    tous|toutes les deux|2 = 2; tous|toutes les trois|3 = 3; tous|toutes les quatre|4 = 4
    tous|toutes les cinq|5 = 5; tous|toutes les six|6 = 6; tous|toutes les sept|7 = 7
    tous|toutes les huit|8 = 8; tous deux = 2; tous trois = 3; donc|soit|total deux|2 = 2
    donc|soit|total trois|3 = 3; donc|soit|total quatre|4 = 4; donc|soit|total cinq|5 = 5
    donc|soit|total six|6 = 6; donc|soit|total sept|7 = 7; donc|soit|total huit|8 = 8
    donc|soit|total neuf|9 = 9
"""
GROUP = """
    parents = 2; beaux|grands parents = 2; jumeaux|jumelles = 2; triplés|triplées = 3
    papa et|pis maman = 2; maman et|pis papa = 2; papi|papy|pépé et|pis mamie|mémé|mamy = 2
    mamie|mémé|mamy et|pis papi|papy|pépé = 2; monsieur|m|mr et madame|mme = 2
    madame et monsieur = 2; eux|elles deux = 2; deux|2 papas|mamans = 2; son mari et sa fille = 2
    2|deux parents = 2
"""
ADULTS = """
    adultes|adulte|ad|grands|grandes|grand|hommes|femmes|vieux|retraités|dames|messieurs|seniors
"""
VAGUE = """
    famille|smala|tribu|équipe|bande|gang|enfants|petits|gosses|gamins|amis|copains|copines|potes
    collègues|cousins|cousines|frères|soeurs|filles|fils|garçons|ados|monde|quelques uns|unes
    toute la famille|bande|smala; ptits; marmaille; mioches; marmots
"""
OWN = """
    mon|ma|mes|ton|ta|tes|son|sa|ses|notre|nos|votre|vos|leur|leurs|le|la|les|l|un|une|des|de|d|du
    au|à|petit|petite|petits|petites|grand|grande
    grands|vieux|vieille|vieil|cher|chère|bon|bonne|beau
    belle|nouveau|nouvelle|jeune|futur|future|tendre|douce|meilleur|meilleure|autre|même|aussi|donc
    euh|heu|ben|bah|alors|voilà|bien|sûr|hein|enfin|tous|toutes|tout|toute|ces|ce|cette|cet|propre
    adorable|gentil|gentille|charmant|charmante|arrière|ptit|ptite|p
"""
PAIRS = """
    couples
"""
WITH = """
    prend; prenons; on prend aussi; prends aussi; je|on prends|prend aussi?; avec; ac; avk; avek
    aek; accompagné|accompagnée|accompagnés de|par|d; en compagnie de|d; j|je amène|emmène
    j|je ramène|prends; amène; emmène; ramène; jramène; jamène; amènerai; emmènerai; ramènerai
    amènerons; emmenons; amenons; pas venir? seul|seule; flanqué|flanquée de; ainsi que celle de
    plus celle de; ainsi que de; w; accompagné; accompagnée; y compris avec
    on amène|emmène|ramène|prend
"""
JOINING = """
    m accompagne|accompagnera|accompagnent|accompagneront; vient|viendra|viennent avec moi
    embarque|monte|vient|arrive|sera|mange|reste|restera avec moi|nous; se joint|joindra à moi|nous
    me conduit|conduira|dépose et reste?; avec moi; vient aussi; est avec moi; me suit|suivent
    me conduit et reste|mange; vient également
"""
ALSO = """
    aussi; également; itou; s ajoute; s ajoutent; se rajoute|rajoutent
    se joint|joignent|joindra à nous|moi; s invite|invitent; s incruste|incrustent
    s est ajouté|ajoutée|greffé|décidée|décidé; revient dans; vient|viennent avec nous|moi
    embarque avec nous|moi; veut|veulent venir; a pu se libérer; nous accompagne|accompagnent
    nous rejoint|rejoignent; est|sont de passage|libres?; vient finalement|aussi
    m accompagne finalement
"""
LACK = """
    sans; sauf; excepté; hormis
"""
OUT_OF = """
    sur; d entre; des
"""
ABOUT = """
    environ; autour de; à peu près; peut être; au moins; minimum; maximum; presque; plus de
    moins de; une dizaine|douzaine|quinzaine|vingtaine|trentaine; dizaine; quinzaine; vingtaine
    petite dizaine|quinzaine|douzaine; entre; probablement; sans doute; jusqu à; quelques; dans les
"""
AGED = """
    ans; an; mois; piges; balais; printemps; ans et demi
"""
SKIP = """
    vous deux|2|tous|toutes; à|a vous|tous deux|les deux; toi et moi
    une|un fois|heure|jour|soir|place à
    une|un minute|seconde|instant|peu|part|jour|autre|verre|bisou|chose|seule fois; pas une|un
    comme un; de mon|ma côté|part; chez mes|ma|mon|sa|ses parents|mère|soeur|frère|père; un à un
    encore un|une; un jour; l un; l une; chez moi; entre nous; quand même; moi qui; moi non plus
    à ta|ton|votre mère|père|mariage|fête
    de ta|ton|votre|la mère|père|fille|fils|famille|petite|petit; une ou deux|2 choses|heures
    tu|t me|m; ça me; il me; elle me; on me; ne me; pas me; à mon âge; jusqu à; d une pierre deux
    deux fois; des deux mains|pieds; les deux mains|pieds|jours|oreilles; entre deux
    à deux pas|mains; jamais deux sans trois; quatre à quatre; à quatre pattes; mille; septante ans
    ma puce|chérie|poule|biche|loulou; mon coeur|chou; ya pas drap; le vieux je
    une|la|ma|ta chaise|place|part|danse|assiette|table|bière
    peux|peut|ai|a|bois|sors|suis|est plus
    plus de|d|guère|que|tôt|tard|fort|grand|jeune|vingt|l|le|la|en|du|tant|jamais; ne plus; en plus
    pour vous deux; sans ta|toi|vous; à ta mère; tout seul|seule en
    se marier|débrouiller tout? seul|seule; toute|tout seul|seule chez toi|vous
"""
UNIT = """
    h; heures; heure; min; minutes; minute; jours; jour; semaines; semaine; mois; ans; an; janvier
    février; mars; avril; mai; juin; juillet; août; septembre; octobre; novembre; décembre; km
    euros; euro; fois; rue; avenue; pour cent; du soir|matin; nuits; nuit; cadeaux; bis; boulevard
    er; ème; e; bornes; tartes; tarte; bouteilles; bouteille; gâteaux; gâteau; voitures; balais
    kilos; kg; litres; chiens; chats; mains; bras; pieds; roues; étages; pièces; mots; secondes
    jupes; robes; plats; quiches; salades; soirs; soirées; trains; bus; pattes; doigts; entrées à
    siècles; générations; sacs; sauts; pas; chevaux; oreilles; tables; table; tentes; fauteuils
    douzaines; options; questions; nouvelles; ports; lettres; étoiles; messes; vêpres
"""
CALLED = """
    rue; numéro; chambre; salle; table; porte; étage; appartement; avenue; code; ligne; bus; quai
    hall; taille; tram; classe; groupe; lot; route; gare; page; vol; terminal; a fait; fêter; fête
"""
MORE = """
    de plus; en plus; rajoute|rajoutez|ajoute|ajoutez|ajouter un|une|en?
    rajoute|rajoutez|ajoute|ajoutez|ajouter; un|une de plus; un|une en plus; s ajoutent
    se sont ajoutés|ajoutées; s ajoute; une|un autre; supplémentaires
    une place|chaise|assiette|personne de|en plus; mettez|mets en plus
"""
FEWER = """
    de moins; en moins; un|une de|en moins
    enlève|enlevez|ôte|ôtez|retire|retirez|supprime un|une|en?; enlève|enlevez|retirez
    un|une personne de moins; un désistement; un|une qui|seul a annulé|lâche; enlevez en un|une
"""
GONE = """
    ne? vient|viennent|viendra|viendront|voyage pas|plus; n? est plus là
    ne? peut|peuvent pas|plus venir?; peut|veut|veulent pas|plus
    ont|a annulé|renoncé|lâché|abandonné|changé d? avis?
    reste|restent|restera|resteront à|a|au|chez|avec|ici|réviser|bosser|la; il|elle reste|restera
    a|ont un|une|le|la|leur examen|partiel|match|foot|stage|ski
    a|ont un|une|le|la|leur tournoi|camp|permanence|empêchement; est|sont retenu|retenue
    a|ont foot|ski|match|examen; travaille|travaillent|bosse|bossent; va|vont chez
    dort|dorment chez; a congé; déclare|déclarent forfait; font|fait faux bond; renoncent|renonce
    a|ont mieux à faire; préfère|préfèrent; se désiste; est|sont en déplacement|stage|voyage
    a un exam; désistés; aux abonnés absents
"""
BRING = """
    amène; emmène; ramène; jramène; jamène; amènerai; emmènerai; ramènerai; amènerons; emmenons
    amenons; prends; je|j|on amène|emmène|ramène|prends|prend
"""
