"""Portuguese words for who comes and how many, of Brazil, Portugal and Africa."""

NUMBERS = """
    zero = 0; um = 1; uma = 1; dois = 2; duas = 2; três = 3; tres = 3; quatro = 4; cinco = 5
    seis = 6; meia dúzia = 6; sete = 7; oito = 8; nove = 9; dez = 10; onze = 11; doze = 12
    uma? dúzia = 12; treze = 13; catorze = 14; quatorze = 14; quinze = 15; dezesseis = 16
    dezasseis = 16; dezessete = 17; dezassete = 17; dezoito = 18; dezenove = 19; dezanove = 19
    vinte = 20; vinte e um|uma = 21; vinte e dois|duas = 22; vinte e três = 23; vinte e quatro = 24
    vinte e cinco = 25; vinte e seis = 26; trinta = 30; trinta e cinco = 35; quarenta = 40
    cinquenta = 50; sessenta = 60; unzinho = 1
"""

# In itself a number of people.
PARTY = """
    só|somente|apenas|unicamente mesmo? eu = 1; eu só|sozinho|sozinha|mesmo = 1; sozinho = 1
    sozinha = 1; só uma|1 pessoa = 1; uma|1 pessoa só = 1; sou só eu = 1; sou eu só = 1; eu só = 1
    só vou eu = 1; vou só eu = 1; eu e mais ninguém = 1; sem acompanhante|acompanhantes = 1
    vou|irei só|solo = 1; desacompanhado = 1; desacompanhada = 1; só a minha pessoa = 1; só 1 = 1
    só para|pra mim = 1; só a mim = 1; os|nós|as|nos|nóis dois|duas|2 = 2; eu e ele|ela = 2
    ele|ela e eu = 2; em|de|um casal|par = 2; casal confirmado|presente|confirmadíssimo = 2
    só o casal = 2; somos casal = 2; em dupla = 2; vamos|iremos|seremos|somos o casal = 2; ambos = 2
    ambas = 2; uma dupla = 2; os|nós|as|nóis três|3 = 3; os|nós|as|nóis quatro|4 = 4
    os|nós|as|nóis cinco|5 = 5; os|nós|as|nóis seis|6 = 6; os|nós|as|nóis sete|7 = 7
    os|nós|as|nóis oito = 8; um? trio = 3; um? quarteto = 4; dois|2 casais = 4; três casais = 6
    quatro casais = 8; papai e mamãe = 2; mamãe e papai = 2; mainha e painho = 2
    painho e mainha = 2; pai e mãe = 2; mãe e pai = 2; a mãe e o pai = 2; o pai e a mãe = 2
"""

# Two or three people under one name.
TWINS = """
    meus|os|teus|seus|nossos pais|sogros|avós|velhos|cotas|papais|velhinhos = 2
    os|as|meus|minhas|nossos gêmeos|gêmeas|gémeos|gémeas = 2; gêmeos = 2; gêmeas = 2; gémeos = 2
    gémeas = 2; os|as|meus trigêmeos|trigêmeas|trigémeos = 3; trigêmeos = 3; trigémeos = 3
"""

ME = """
    eu; mim; comigo; eu mesmo|mesma|próprio|própria; euzinha; euzinho; a minha pessoa
    essa|esta|este que vos|lhe fala|escreve; quem vos|te fala|escreve
"""

_FAMILY = """
    esposa|esposo|mulher|marido|namorada|namorado|noiva|noivo|sogra|sogro|companheira|companheiro|nora
    genro|cunhada|cunhado|sobrinha|sobrinho|neta|neto|madrasta|padrasto|enteada|enteado|senhora|patroa
    patrão|dama|véia|véio|velha|velho|muié|muiê|mina|gata|gato|crush|nega|nego|preta|preto|mana|mano
    kota|cota|amor|mor|mãe|pai|mamã|papá|mamãe|papai|mainha|painho|mãezinha|paizinho|avó|avô|vó|vô|vovó
    vovô|voinha|vozinha|avozinha|madrinha|padrinho|afilhada|afilhado|tia|tio|prima|primo|irmã|irmão
    irmãzinha|irmãozinho|filha|filho|filhota|filhote|filhinha|filhinho|caçula|netinha|netinho|menina
    menino|guri|guria|piá|moleque|garota|garoto|rapaz|rapariga|miúdo|miúda|puto|pequeno|pequena|pequenino
    pequenina|pequenita|pequenito|criança|candengue|bebê|bebé|bebezinho|neném|nenê|nenem|gémea|gêmea
    gémeo|gêmeo|maridão|maridinho|esposinha|mulherzinha|menininha|menininho|sobrinhada|titia|titio|mozão
"""
_OTHERS = """
    amigo|amiga|acompanhante|convidado|convidada|colega|pessoa|vizinha|vizinho|sócio|sócia|adulto|adulta
    comadre|compadre|cuidadora|cuidador|motorista|adolescente|enfermeira|babá|secretária|engenheiro
"""
_WORDS = "|".join((_FAMILY + _OTHERS).split())

# One person more. Without an article they may be how the hosts are addressed.
ONE = f"""
    esposa; esposo; mulher; marido; namorada; namorado; sogra; sogro; genro; nora; maridão; mozão
    minha|meu|a|o|uma|um|nossa|nosso|tua|teu|sua|seu|outra|outro|mais {_WORDS}; alguém
    minha|meu|a|o|uma|um melhor amigo|amiga; o|a|meu|minha mais novo|nova|velho|velha
    mais um; mais uma; a|o mãe|pai|irmã|irmão|mulher|marido|namorado|namorada dele|dela|deles
"""

PEOPLE = """
    pessoas; pessoa; adultos; adulto; adultas; convidados; lugares; lugar; cadeiras; cadeira
    assentos; convites; vagas; ingressos; participantes; bilhetes; pratos; prato; bocas; cabeças
    pax; mulheres; homens; alunos; alunas; professoras; professores; colaboradores; senhoras
    assento; bilhete; ingresso; vaga; talheres
"""

KIDS = """
    crianças; criança; filhos; filhas; filho; filha; amigos; amigas; bebês; bebê; bebés; bebé
    menores; menor; jovens; meninos; meninas; menino; netos; netas; netinhos; netinhas; miúdos
    miúdas; irmãos; irmãs; guris; gurias; piás; putos; rapazes; raparigas; candengues; moleques
    pequenos; pequenas; sobrinhos; sobrinhas; primos; primas; tios; tias; cunhados; cunhadas; noras
    genros; acompanhantes; colegas; adolescentes; sócios; afilhados; filhotes; crionças; pestinhas
    manos; manas
"""
