"""Words for people in German, and for who comes in addition or not after all."""

ONE = """
    frau; fraa; freundin; fründin; schwöschter; grosi; haushälterin; madame; partnerin; verlobte
    verlobten; mutter; mama; mutti; mami; muddi; mudda; ma
    schwester; tochter; oma; omi; schwiegermutter; kollegin; tante; cousine; kusine; gattin
    gatte; ehefrau; ehemann; göttergatte; göttergatten
    mann; freund; freindin; spezl; partner; verlobter; vater; papa; papi; vati; babba; bruder
    brudi; sohn; sohnemann; opa; opi; kollege; kollegen; onkel; cousin; cousins; vetter; gatten
    schwager; schwägerin; schwiegersohn; schwiegertochter; schwiegervater; schwiegermama
    schwiegerpapa
    begleitung; begleitperson; gast; kind; chind; baby; säugling; neugeborenes; kleinkind
    butzele; person; kumpel; kumpl; lebensgefährte; lebensgefährten; lebensgefährtin
    lebensgefaehrte; bessere|besseren hälfte; schatz; schatzi; schatzerl; liebste; liebster
    liebsten; herzblatt
    enkel; enkelin; enkelkind; enkelsohn; enkeltochter; neffe; neffen; nichte; nachbar
    nachbarin; mitbewohner; mitbewohnerin; beifahrer; beifahrerin; chef; chefin; betreuer
    betreuerin; pfleger; pflegerin; pflegekraft; fahrer; fahrerin; au pair; assistent
    assistentin; trainer; trainerin; hochstuhl; nani; grosi; götti; gotti; patenkind
    patentante; patenonkel
    bub; bua; junge; jungen; mädchen; mädel; mädl; madl; kleine; kleiner; kleinen; kleines
    große; großer; großen; älteste; ältester; jüngste; jüngster; zwerg; zwergerl; winzling
    spross; nachwuchs
    olle; alte; oide; alter; oider; oiden; bestie; beste freundin; bester freund; teenager
    erwachsener; jemand; jemanden; noch einer|jemand|wer; noch eine person; au pairs; sie; ihn
    ihm; ihr mann|man; freundin vom; azubi; lehrling; praktikant; praktikantin; stiefsohn
    stieftochter; hund von; zweite person; plus eins; kd; erw
"""
GROUP = """
    eltern = 2; schwiegereltern = 2; schwiegerleut = 2; schwiegerleute = 2; großeltern = 2
    zwillinge = 2; zwillingen = 2; zwillis = 2; drillinge = 3; drillingen = 3
    beiden anderen = 2; mama und papa = 2; papa und mama = 2; oma und opa = 2; opa und oma = 2
"""
PEOPLE = """
    personen; person; persone; leute; leuten; leut; leit; kehlen; durstige kehlen; lüt; lüüd; gäste
    gästen; plätze; menschen
    mitglieder; teilnehmern; sitze
    plätzen; platz; mann; mann hoch; köpfe; pers; teilnehmer; stühle; stühlen; gedecke
    portionen; teller; karten; tickets; nasen; häupter; mäuler; hungrige mäuler; esser; seelen
    essen; sitzplätze; kolleginnen und kollegen; sängerinnen und sänger; spieler; vertreter
    delegierte; mitarbeiter; mitarbeitende; schnitzel
"""
ADULTS = """
    erwachsene; erwachsenen; erwachseni; erw; große; großen; senioren; rentner; frauen; männer
    männern; damen; herren; grosse; erwachsen
"""
KIDS = """
    kinder; kindern; kind; mitarbeiter; mitarbeitern; erstklässler; schulkinder; fründ; kd; chind
    chinder; freunde; freunden; freundinnen; babys; söhne
    söhnen; töchter; töchtern; kids; jugendliche; jungs; jungen; buben; buam; buaba; bueben
    mädels; mädchen; mädls; madln; meitli; mädle; kleinkinder
    brüder; brüedere; brüdern; schwestern; geschwister; geschwistern; kumpels; kumpel; kollegen
    kolleginnen; enkel; enkeln; enkelkinder; enkelkindern; enkelinnen; enkelbuben; neffen
    nichten; cousins; cousinen; tanten; onkel; omas; opas; nachbarn; mitbewohner; mitbewohnern
    mitbewohnerinnen
    arbeitskollegen; arbeitskolleginnen; begleitpersonen; begleiter; mäuse; mäusen; mäuschen
    zwerge; zwergen; blagen; kleine; kleinen; kiddies; teenager; teenagern; teenies
    kinderteller; hochstühle; klassenkameraden; kameraden; freundin; freund; bekannte
    sängerinnen; sänger; räuber; rabauken
    vereinskollegen; sportsfreunde; tischnachbarn; kommilitonen; azubis; lehrlinge
    praktikanten; jährige; geschwisterkinder; nachbarskinder; pflegekinder; säuglinge
"""
VAGUE = """
    familie; family; rest; anhang; sippe; bagage; truppe; bande; mannschaft; verein; leute
    freunde; kind und kegel; mann und maus; kollegen; kinder; kindern; gäste; alle; anderen
    ein paar; einige; paar freunde|leute; clan; rasselbande
"""
OWN = """
    mein; meine; meinem; meinen; meiner; meines; mei; meim; mine; mini; mi; unser; unsere
    unserem; unseren; unserer; unsre; sein; seine; seinem; seinen; seiner; ihr; ihre; ihrem
    ihren; ihrer; dein; deine; eure; der; die; das; den; dem; des; d; de; da; s; dr
    ein; eine; einem; einen; einer; klein; kleine; kleinen; kleiner; kleines; groß; große
    großen; großer; neu; neue; neuen; neuer; alt; alte; alten; alter; liebe; lieber; lieben
    liebsten; auch; noch; äh; ähm; halt; dann; natürlich; sogar; eigenen; ganzen; gemeinsamen
    weitere; weiteren; anderen; lieben; jüngste; jüngsten; älteste; ältesten; x; fast; kleins
    mal; gute; guten; hungrige; hungrigen; süße; süßen; beste; bester; besten; fremde
"""
GONE = """
    fällt|fallen leider? aus|weg
    bleibt|bleiben doch? lieber? daheim|zuhause|zu|bei|dort|lieber|doch
    kommt|kommen leider? doch? nicht; kann|können leider? doch? nicht
    hat|haben abgesagt; abgesagt; ist|sind raus; wieder raus; abgesprungen; doch nicht
    haben|hat grippe; kommt|kommen nicht; will|wollen doch? nicht; muss|müssen arbeiten
    schafft|schaffen es? leider? doch? nicht; nicht mit; nicht mehr mit; verhindert
    fehlt|fehlen; zurückziehen; hat|haben dienst; ist krank geworden; sind krank geworden
    schlafen doch? bei
    ist|sind krank; muss zum turnier; muss lernen; hat migräne; hat stress; bleibt bei; barred
    wü|mag|wui ned; kann|kimmt|kemman ned; hat sich den fuß
"""
