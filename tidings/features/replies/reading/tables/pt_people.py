"""Portuguese words for who comes, with the family names of Brazil, Portugal and Africa."""

ME = """
    eu; mim; comigo; eu mesmo|mesma|próprio|própria; euzinha; euzinho; a minha pessoa; minha pessoa
    essa|esta|este que vos|lhe|te fala|escreve; quem vos|te fala|escreve; essa q vos fala; eu cá
"""

# One person more. The words before them are in OWN.
ONE = """
    esposa; esposo; mulher; marido; namorada; namorado; noiva; noivo; sogra; sogro; companheira
    companheiro; nora; genro; cunhada; cunhado; sobrinha; sobrinho; neta; neto; madrasta; padrasto
    enteada; enteado; muié; muiê; crush; mãe; pai; mamã; papá; mamãe; papai; mainha; painho
    mãezinha; paizinho; avó; avô; vovó; vovô; voinha; vozinha; avozinha; afilhada; afilhado
    irmãzinha; irmãozinho; filha; filho; filhota; filhote; filhinha; filhinho; caçula; netinha
    netinho; candengue; bebê; bebé; bebezinho; neném; nenê; nenem; gémea; gêmea; gémeo; gêmeo
    maridão; maridinho; esposinha; mozão; mulherzinha; menininha; menininho; sobrinhada
    acompanhante; convidado; convidada; sócio; sócia; cuidadora; cuidador; motorista; adolescente
    enfermeira; babá; secretária; alguém; melhor amigo|amiga; mozinho; parceiro; parceira; cônjuge
    diácono; a|o|minha|meu pequeno|pequena|pequenino|pequenina|pequenita
    a|o|minha|meu pequenito|gata|gato|preta|preto|ex; a|o|minha|meu mais novo|nova|velho|velha
    minha|meu amor|mor|bem; mais um|uma amigo|amiga; a|o mãe|pai|avó|avô|vó|vô|irmã dele|dela|deles
    a|o irmão|mulher|marido|namorado|namorada|filha|filho dele|dela|deles
    mulher|marido|namorado|namorada|esposa|irmã|mãe|pai dele|dela|deles
    filho|filha|neto|neta|menino mais? novo|nova|velho|velha
    menina|sobrinho|sobrinha|irmão|irmã mais? novo|nova|velho|velha
    filho|filha|neto|neta|menino de 1|2|3|4|5|6|7|8|9 anos|aninhos
    menina|sobrinho|sobrinha|bebê|bebé de 1|2|3|4|5|6|7|8|9 anos|aninhos
    filho|filha|neto|neta|menino|menina|sobrinho|sobrinha de 10|11|12|13 anos|aninhos?
    filho|filha|neto|neta|menino|menina|sobrinho|sobrinha de 14|15|16|17|18 anos|aninhos?
    irmão|irmã|bebê|bebé|criança|um|uma|o de 1|2|3|4|5|6 anos|aninhos|meses
    irmão|irmã|bebê|bebé|criança|um|uma|o de 7|8|9|10|11|12|15 anos|aninhos|meses
    bebê|bebé|criança|menino|menina|neném de colo
    a|o|uma|um|minha|meu|nossa|nosso|tua|teu|sua|seu mano|mana|irmã|irmão|tia|tio
    a|o|uma|um|minha|meu compadre|comadre|menina|menino|senhora|senhor
    nossa|nosso|tua|teu|sua|seu compadre|comadre|menina|menino|senhora|senhor
    a|o|uma|um|minha|meu|nossa|nosso|tua|teu|sua|seu nega|nego|kota|cota|velha|velho
    a|o|uma|um|minha|meu|nossa|nosso|tua|teu|sua|seu véia|véio|prima|primo|moleque|rapaz
    a|o|uma|um|minha|meu|nossa|nosso|tua|teu|sua|seu rapariga|garoto|garota|guri|guria|piá
    a|o|uma|um|minha|meu|nossa|nosso|tua|teu|sua|seu puto|titia|titio|amigo|amiga|vizinha
    a|o|uma|um|minha|meu vizinho|madrinha|padrinho|cumadi|cumpade|dama
    nossa|nosso|tua|teu|sua|seu vizinho|madrinha|padrinho|cumadi|cumpade|dama
    a|o|uma|um|minha|meu mina|patroa|patrão|madame|colega|criança
    nossa|nosso|tua|teu|sua|seu mina|patroa|patrão|madame|colega|criança
    a|o|uma|um|minha|meu|nossa|nosso|tua|teu|sua|seu miúdo|miúda
    outra|outro|mais um|uma? amigo|amiga|colega|criança|menino|menina
    minha|meu|a|o|nossa|nosso|tua|teu|sua|seu vó|vô
"""

# Two or three people under one name.
GROUP = """
    pais = 2; sogros = 2; avós = 2; velhos = 2; cotas = 2; velhinhos = 2; papais = 2; gêmeos = 2
    gêmeas = 2; gémeos = 2; gémeas = 2; trigêmeos = 3; trigêmeas = 3; trigémeos = 3; padrinhos = 2
    papai e mamãe = 2; mamãe e papai = 2; mainha e painho = 2; painho e mainha = 2; pai e mãe = 2
    mãe e pai = 2; a mãe e o pai = 2; o pai e a mãe = 2; pai mãe = 2; compadres = 2; coroas = 2
"""

ADULTS = """
    adultos; adulto; adulta; adultas; mulheres; homens; jovens; senhoras; alunos; alunas
    professoras; professores; idosos; idosas; crescidos; graúdos
"""

PEOPLE = """
    pessoas; pessoa; convidados; lugares; lugar; cadeiras; cadeira; assentos; assento; convites
    vagas; vaga; ingressos; ingresso; participantes; bilhetes; bilhete; pratos; prato; bocas
    cabeças; pax; colaboradores; talheres; almas; doses; refeições; marmitas; senhas; colegas nossos
"""

# Who comes in addition to the guest.
KIDS = """
    crianças; filhos; filhas; amigos; amigas; bebês; bebés; menores; meninos; meninas; netos; netas
    netinhos; netinhas; miúdos; miúdas; irmãos; irmãs; guris; gurias; piás; putos; rapazes
    raparigas; candengues; moleques; pequenos; pequenas; sobrinhos; sobrinhas; primos; primas; tios
    tias; cunhados; cunhadas; noras; genros; acompanhantes; colegas; adolescentes; sócios; afilhados
    filhotes; pestinhas; manos; manas; netinho; sogras; vizinhos; vizinhas; menor; crias; garotos
    criança; filho; filha; menino; menina; neto; neta; bebê; bebé; amigo; amiga; irmão; miúdo; piá
    convidado; acompanhante; sobrinho; sobrinha; filhinhos; filhinhas; crianças pequenas; guri
"""

PAIRS = "casais"

VAGUE = """
    família; familia; pessoal; galera; malta; turma; resto; restante; demais; cambada; tropa; povo
    uns|alguns|algumas|umas amigos|amigas|primos|familiares|colegas; familiares; parentes; criançada
    filharada; garotada; netaiada
"""

# Allowed before a person in a list.
OWN = """
    meu; meus; minha; minhas; teu; tua; teus; tuas; seu; sua; seus; suas; nosso; nossa; nossos
    nossas; o; a; os; as; do; da; dona; dom; d; sr; sra; também; tambem; mais; lindo; linda; querido
    querida; amado; amada; pequeno; pequena; outro; outra; outros; outras; né; então; pois; é; tio
    tia; prof; professor; professora; doutor; doutora; dr; dra; engenheiro; ainda; até; próprio
    própria; bom; claro; nhá; irmã; irmão; nova; novo; velha; i
"""

US = "nós; vamos; iremos; somos; estaremos; gente; seremos; nóis; vamo; chegamos"

WITH = """
    com; c; junto com; acompanhado de; acompanhada de; acompanhado da|do|pelo|pela
    acompanhada da|do|pelo|pela; na companhia de|da|do; levo o|a|meu|minha|os|as|meus|minhas|nosso
    levo comigo; levarei o|a|meu|minha|os|as|meus|minhas; vou levar; vou leva; trago o|a|meu|minha
    vou mais; junto do; acompanhando; levando o|a|meu|minha|os|meus; tô|to levando; em companhia de
    levar o|a|meu|minha|os|as|meus|minhas; vem também; vêm também; também vem; também vêm
    vai também; vão também; também vai; também vão; acrescenta; acrescente; inclui também; junta
    junte
"""

LACK = "sem meu|minha|meus|minhas|o|a|os|as; menos o|a|meu|minha; exceto; exceto o|a; fora o|a"

JOINING = """
    vai|vão|vem|vêm|irá|virá comigo; me acompanha|acompanham|acompanhará; me leva|levam
    acompanha me; vem mais eu
"""

ALSO = "também; tambem; tb; tbm; tmb"

# Verbs that bring somebody else along; they are in WITH too.
BRING = """
    levo o|a|meu|minha|os|as|meus|minhas|nosso; levo comigo; levarei o|a|meu|minha|os|as|meus|minhas
    vou levar; vou leva; trago o|a|meu|minha; levando o|a|meu|minha|os|meus; tô|to levando
    vem também; vêm também; também vem; também vêm; vai também; vão também; também vai; também vão
    acrescenta; acrescente; inclui também; junta; junte
"""

# The people before it do not come after all.
GONE = """
    já? não vai|vão|vem|vêm|pode|podem mais?
    já? não poderá|poderão|irá|irão|virá|consegue|conseguem mais?
    fica|ficam|ficou|ficaram com|em|de; desistiu; desistiram; furou; furaram; adoeceu; adoeceram
    está|tá doente; estão doentes; de cama; tem prova|teste|jogo|exame|treino|serviço|trabalho
    pegou virose|gripe|covid; trabalha; cancelou; cancelaram; também não vai|vem; não vai poder
    afinal não; vai ficar com|em
"""
