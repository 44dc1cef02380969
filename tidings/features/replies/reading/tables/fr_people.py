"""French words for people and their number, spoken and regional forms included."""

NUMBERS = """
    zéro = 0; un|une = 1; deux = 2; trois = 3; quatre = 4; cinq = 5; six = 6; sept = 7; huit = 8
    neuf = 9; dix = 10; onze = 11; douze = 12; treize = 13; quatorze = 14; quinze = 15; seize = 16
    dix sept = 17; dix huit = 18; dix neuf = 19; vingt = 20; trente = 30; quarante = 40
    cinquante = 50; septante = 70; demi douzaine = 6; une demi douzaine = 6
    une? douzaine exactement|pile|juste = 12
"""
PARTY = """
    juste|seulement|uniquement|que|simplement moi|bibi|mézigue = 1; rien que moi|bibi = 1
    plus que moi = 1; y aura que moi|bibi = 1; que ma pomme = 1; moi tout? seul|seule|uniquement = 1
    moi toute|tte|tu seule|seul = 1; je viens|viendrai|serai|viendrais|monterai seul|seule = 1
    en? solo = 1; seul|seule = 1; tout|toute|tte|tu seul|seule = 1; en? célibataire = 1
    non accompagné|accompagnée = 1; sans accompagnant|escorte|accompagnateur|cavalier = 1
    sans cavalière|personne = 1; un homme seul = 1; une personne seule = 1
    tous|toutes les deux|2 = 2; nous|ns|vous deux|2 = 2; en|un|le|notre|mon couple = 2
    en amoureux|duo|tandem = 2; un duo = 2; tous|toutes les trois|3 = 3; nous|ns trois|3 = 3
    un|le|notre|en trio = 3; tous|toutes les quatre|4 = 4; nous|ns quatre|4 = 4
    un|le|notre quatuor = 4; tous|toutes les cinq|5 = 5; nous|ns cinq|5 = 5
    tous|toutes les six|6 = 6; nous|ns six|6 = 6; tous|toutes les sept|7 = 7; nous|ns sept|7 = 7
    tous|toutes les huit|8 = 8; mes|ses|leurs|nos|les parents = 2
    mes|ses|nos|les|tes beaux|grands parents = 2; beaux|grands parents = 2
    les|mes|nos|ses|des jumeaux|jumelles = 2; les|mes|nos|ses triplés|triplées = 3
    m|monsieur|mr et mme|madame = 2
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
    femme|mari|copine|copain|compagne|compagnon|conjoint|conjointe|épouse|époux|fiancé|fiancée
    mère|père|soeur|frère|fille|fils|maman|papa|tante|tata|tatie|oncle|tonton|cousine|cousin|chéri
    chérie|mamie|mémé|mamy|mami|mémère|papi|papy|pépé|pépère|mec|nana|meuf|blonde|chum|homme|gars
    daron|daronne|reus|reuf|frangin|frangine|frérot|soeurette|moitié|bru|gendre|nièce|neveu|voisin
    voisine|collègue|associé|associée|assistant|assistante|ami|amie|pote|poto|colocataire|coloc
    bonne|belle mère|maman|soeur|fille; beau frère|père|papa|fils; grand mère|père|maman|papa
    arrière petite|petit fille|fils; petit|petite fils|fille|frère|soeur|ami|amie|copain|copine|bout
    coépouse|marraine|parrain|filleul|filleule|nounou|aînée|aîné|cadet|cadette|benjamin|benjamine
    petit dernier; petite dernière; bébé|bb|nourrisson|gamin|gamine|gosse|ado|fiston|fistonne
    petit|petite|puce|loulou|poupon|nouveau né; douce|douce moitié|tendre époux|épouse; bobonne
    madame|monsieur|avocat|avocate|comptable|stagiaire|patron|patronne|directeur|directrice|vicaire
    accompagnant|accompagnante|accompagnateur|accompagnatrice|cavalier|cavalière|+1|plus un
    invité|invitée|quelqu un|go|khouya|khti|ana|mama|fieu|mon vieux; ma vieille; le vieux
    un|une autre personne; une personne de plus; un|une de plus
    ma|mon|notre|sa|son|la|le|un|une|leur|votre femme|mari|copine|copain|compagne|compagnon|conjoint
    ma|mon|notre|sa|son|la|le|un|une|leur|votre conjointe|épouse|époux|fiancé|fiancée|mère|père
    ma|mon|notre|sa|son|la|le|un|une|leur|votre soeur|frère|fille|fils|maman|papa|tante|oncle|tata
    ma|mon|notre|sa|son|la|le|un|une|leur|votre cousine|cousin|amie|ami|pote|collègue|voisine|voisin
    ma|mon|notre|sa|son|la|le|un|une|leur|votre bébé|enfant|ado|gamin|gamine|gosse|petit|petite|bb
    ma|mon|notre|sa|son|la|le|un|une|leur|votre belle mère|soeur|fille|maman
    ma|mon|notre|sa|son|la|le|un|une|leur|votre beau frère|père|fils|papa
    ma|mon|notre|sa|son|la|le|un|une|leur|votre grand mère|père|maman|papa
    ma|mon|notre|sa|son|la|le|un|une|leur|votre petit|petite fils|fille|frère|soeur|dernier|bout
    ma|mon|notre|sa|son|la|le|un|une|leur|votre petit|petite|grand|grande|vieux|vieille|jeune
    ma|mon|un|une|notre associé|associée|assistante|assistant|avocat|avocate|coloc|moitié|douce
    ma|mon|sa|son|leur mec|meuf|nana|chum|blonde|gars|homme|bru|gendre|nièce|neveu|marraine|parrain
    ma|mon|sa|son coépouse|fiston|aîné|aînée|cadet|cadette|daron|daronne|reus|reuf|chéri|chérie
    un|une|mon|ma invité|invitée|accompagnant|accompagnante|personne|accompagnateur; quelqu un
"""
PEOPLE = """
    personnes|personne|adultes|adulte|places|place|invités|invité|convives|couverts|couvert|pers
    têtes|participants|participant|chaises|chaise|assiettes|assiette|bouches|entrées|ad|grands|grand
    résidents|joueurs|élèves|entrées|hommes|femmes|parts|billets|tickets|membres|délégués|âmes
    séminaristes|représentants|présents|présentes|bouche|tête|grandes|pèlerins|musiciens|végétariens
"""
KIDS = """
    enfants|enfant|enf|bébés|bébé|bb|amis|amies|petits|petit|petites|petite|ados|ado|filles|fille
    garçons|garçon|fils|gosses|gosse|loulous|loups|loup|parents|frères|soeurs|gamins|gamin|gamines
    monstres|monstre|flos|gars|potes|pote|copines|copains|cousins|cousines|collègues|coll|colocs
    mômes|bambins|marmots|jeunes|neveux|nièces|tantes|oncles|voisins|voisines|terreurs|bouts|nains
    associés|stagiaires|apprentis|papas|mamans|mamies|papis|épouses|grand mère; grands mères
    petits|petites enfants|gars|loups|monstres|fils|filles|derniers; p tits gars|enfants?
    beaux|belles frères|filles|soeurs|fils; petits bouts; jumeaux; jumelles; fistons; puces
"""
