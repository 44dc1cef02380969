"""Portuguese, of Brazil and of Portugal."""

from ..table import Table

TABLE = Table(
    language="pt",
    script="latin",
    yes="""
        sim; simm; sim sim; ss; claro; clar; claro que sim|vou|vamos; claro q sim; com certeza
        com sertesa; ctz; certeza; com toda certeza; certamente; óbvio; obviamente; lógico; evidente
        sem dúvida; sem falta; pode ser sim; pode crer; bora; partiu; fechado; fechou; afirmativo
        demorou; é claro; isso aí; uhum; aham; confirmo; confirmamos; confirmado; confirmada
        confirmados; comfirmo; confirmar presença; presença confirmada; aceito; aceitamos; aceite
        com muito? prazer|gosto|alegria; com todo|imenso prazer|gosto; com grande prazer
        será|seria|é um prazer|uma honra; um prazer; uma honra; será uma alegria
        pode|podem|conte|contem|conta|contar comigo|conosco|connosco|com; contem com a gente
        tô|to|estou|estamos|tamo|tamos|tou dentro|nessa
        não perco|perdemos|perderia|perderíamos|perderei
        não perderemos|falto|faltarei|faltaremos|faltamos; por nada deste? mundo?
        nos vemos lá|la|dia|na|no|sábado|domingo; vejo|vemos vocês lá|na|no; até lá; te|vos vejo lá
        mal posso esperar; mal podemos esperar; não vejo|vemos a hora; ansiosa; ansioso; ansiosos
        reserva|reserve|reservem|guarda|guarde|guardem|separa|separe
        inclui|inclua|anota|anote|coloca|coloque|põe; eu também; nós também; tamo junto; tmj
        pode confirmar; confirmadíssimo; confirmadíssima; nem precisa perguntar; sem dúvida nenhuma
        pode botar|colocar|pôr; bota|põe meu|nosso
    """,
    no="""
        não; nao; naum; n; nãoo; nop; não obrigado|obrigada; infelizmente|infelismente não|nao
        fica|deixa pra|para a? próxima; na|pra|para próxima; próxima vez
        em? outra ocasião|oportunidade; fica pra outra; dessa|desta|nessa|nesta vez não; impossível
        é impossível; não será|é|foi possível; não vai ser possível
        tenho|temos|vou|vamos ter? que|de? cancelar|recusar|declinar
        preciso|precisamos|terei|teremos ter? que|de? cancelar|recusar|declinar; cancelo; cancelamos
        cancelar; cancela; cancelem; recuso; recusar; recusamos; declino; declinamos
        vou|vamos passar; passo; tô|to|estou|estamos|tou fora
        não conte|contem|contes comigo|conosco|com; não me|nos espere|esperem
        não tenho|temos interesse|como|condições; não me interessa; não quero|queremos
        nenhum de nós; nem pensar; sem chance; não tem como|jeito; não dá|da|deu; não rola
        sem condições; sem mim|nós; desisto; dispenso; negativo; pulo essa
        claro|óbvio|lógico que? não; com certeza não; não vai dar|rolar; não vou|vamos dar
        fico|ficamos|ficarei de fora; a gente não vai; dessa|desta|nessa|nesta vez não vai dar
        não vou não
    """,
    cannot="""
        não posso|podemos|poderei|poderemos|poso|consigo|conseguimos|conseguirei|conseguiremos
        não vou|vamos poder|conseguir
    """,
    go="""
        vou; vamos; irei; iremos; vou sim; vamo; eu vou; a gente vai; nós vamos
        estarei|estaremos|estou|estamos lá|la|presente|presentes|aí|com|ai
        lá|la estarei|estaremos|estamos; compareço; comparecerei; compareceremos; comparecer; chego
        chegamos; chegaremos; chegarei; vou comparecer; participarei; participaremos; participo
        marcarei|marcaremos|marcamos presença; apareço; apareceremos; colo; colamos; tô indo
        estamos indo; vou lá
    """,
    be="estarei; estaremos; vou|vamos estar",
    to_go="""
        ir; comparecer; estar; vir; chegar; participar; ir lá; acompanhar; acompanhá-los; aparecer
        celebrar com
    """,
    they_go="vem; virá; irá; comparecerá; vai; vão",
    can="""
        posso; podemos; poderei; poderemos; consigo; conseguimos; conseguirei; conseguiremos; poso
        dá pra|para; pretendo; pretendemos; conseguir; poder
    """,
    wish="""
        adoraria; adoraríamos; gostaria; gostaríamos; adorava; adorávamos; gostava; queria
        queríamos; quero; queremos; quem me dera; quem dera; teria|teríamos adorado|amado; amaria
        amaríamos; feliz em; felizes em; muito feliz em; prazer em
    """,
    not_="não; nao; naum; nunca; nenhum; nenhuma; ninguém; nem; jamais; n",
    sorry="""
        desculpa; desculpe; desculpem; desculpas; infelizmente; infelismente; infelizmnte; lamento
        lamentamos; sinto|sentimos muito; perdão; perdoe; pena; que pena; uma pena; sorry; triste
        tristemente; poxa; puxa; foi mal; mil desculpas; me perdoem
    """,
    away="""
        viajando; de viagem|férias|plantão|cama|atestado; em viagem
        estarei|estaremos|vou|vamos|estou estar? fora do|da|de; fora do país|estado; fora da cidade
        no exterior; outro|outra casamento|compromisso|evento|festa|aniversário
        já tenho|temos compromisso|plano|planos|outro|um|uma; vou|vamos|tenho|preciso que? trabalhar
        trabalho; trabalho nesse|neste|no; trabalhando; doente; doentes; internado; internada
        gripado; gripada; prova; provas; plantão; na cidade; ocupado; ocupada; ocupados; compromisso
        compromissos; no hospital; tenho|temos compromisso|casamento|prova|plantão|viagem|voo
    """,
    maybe="""
        talvez; pode ser; quem sabe; não|nao|n sei|sabemos ainda?; ainda não sei|sabemos; sei lá
        não faço ideia; não|nao tenho|temos certeza; sem certeza; não é certo; incerto
        vou|vamos|irei tentar; tentar; tentarei; tentaremos; tento
        farei|faremos|faço o possível|meu|nosso melhor?; tomara; espero; esperamos
        espero que sim|não; provavelmente; possivelmente; é provável; é capaz; acho; achamos
        acho que sim|não; não acho; acredito; creio; penso que; suponho; imagino; depende
        dependendo; te|vos|lhe|lhes aviso|avisamos|confirmo|falo|digo|respondo|conto; aviso
        avisarei; avisaremos; aviso depois|amanhã; confirmo depois|amanhã|mais|até|em
        depois te|eu? falo|confirmo|aviso|respondo; deixa|deixe eu|me ver
        preciso|tenho|vou ver|consultar|falar|perguntar|checar|confirmar; vou pensar; vou ver
        vamos ver|pensar|tentar; veremos; a ver; a gente vê; 50/50; cinquenta; ainda não; em dúvida
        dúvida; duvido; difícil; mais pra frente; mais tarde; depois; sim e|ou não; respondo depois
        não prometo; por enquanto; qualquer coisa; meio a meio; capaz
    """,
    if_="""
        se eu|der|puder|pudermos|conseguir|conseguirmos|a|o|não|tudo
        se for|tiver|tivermos|os|as|arrumar|achar|ela|ele|estiver; caso; desde que; contanto
        a menos; a não ser; se
    """,
    ask="""
        tem estacionamento|comida|que|como|lugar|opção; onde; quando é|vai|começa|será; que horas
        a que horas; qual; quais; quem; quanto; quanta; quantos; quantas; como é|chego|faço|está
        por que; porque vocês; posso levar|convidar|chamar|trazer|saber; podemos levar; pode levar
        você; vocês; vc vai; vcs vão; vai ter|haver|ser; vão; é em; é no; ainda está; ainda vai
        o que; precisa; me manda|passa|envia|fala|diz; cadê; será que; até quando; dá pra levar
        pode me
    """,
    but="mas; porém; contudo; só que; entretanto; embora; apesar; mais não; todavia",
    who="""
        ele; ela; eles; elas
        minha esposa|mulher|mãe|irmã|namorada|filha|sogra|avó|tia|noiva|família
        meu marido|esposo|pai|irmão|namorado|filho|sogro|avô|tio|noivo
        meus pais|filhos|irmãos|sogros|avós|tios; as crianças; os meninos; o bebê; a bebê; a família
    """,
    other="""
        link; número errado; engano; foi engano; me liga|ligue|liguem; liga; ligar; recebi; recebido
        recebemos; chegou; já respondi|confirmei|falei|avisei; abrir; abre; funciona; endereço
        presente de; mudamos para|pra; mensagem a|do; código; senha; respondo; convite não
        no trabalho; site; página; vi a; pix; presente é; sou eu; não sou; pode falar; eu sei
        sei onde; entendi a; não é meu; faz mal; quem é|fala|está
    """,
    void="""
        sem problema|problemas|crise|stress|estresse; não tem|há problema|problemas
        não se|te preocupe|preocupa|preocupem; tranquilo; por que|quê não; porque não; pela|a demora
        não ter respondido; não respondi|vi|tinha respondido|visto?
        desculpa|desculpe|desculpem a|pela|por|não|o; não tinha|tínhamos certeza; no começo|início
        a princípio; não acredito; nem acredito; se deus quiser; deus queira
        um pouco atrasados|atrasada|atrasado|tarde?
        chegaremos|chego|chegamos atrasados|atrasado|atrasada|um; sair cedo
        não como|comemos|bebo|bebemos; sem crianças|as; se possível; se der tempo
        se precisar|precisarem; se não for; não muito tarde; só vi agora; não é problema
        pode deixar; com a graça de deus; graças a deus; sem filhos; não esquenta; não faz mal
    """,
    day="segunda; terça; quarta; quinta; sexta; sábado; domingo",
    warm="""
        obrigado; obrigada; obg; brigado; brigada; brigadão; obrigadão; muito obrigado|obrigada
        agradeço; agradecemos; gratidão; valeu; vlw; pelo convite; convite; o convite; parabéns
        parabens; felicidades; muitas felicidades; bênçãos; beijo; beijos; bjs; bjos; abraço
        abraços; oi; oie; oii; olá; ola; e aí; bom dia; boa tarde|noite|sorte; ok; okay; beleza; blz
        tá bom|bem|certo; ta bom|bem|certo; certo; combinado; perfeito; ótimo; otimo
        que ótimo|bom|legal|lindo|alegria|maravilha|delícia|emoção; maravilha; legal; top; show
        massa; uau; nossa; amiga; amigo; amigos; querida; querido; queridos; gente; pessoal
        amo vocês|você; adoro vocês; haha; kkk; k; rs; amém; por favor; pfv; tudo bem; tudo bom
        prezados; noivos; aos noivos; sucesso; com carinho; saudades; linda; lindo; lindos; feliz
        felizes; muito feliz; emocionada; emocionado; honrados; honrada; honrado; que deus abençoe
        deus abençoe; muito; muita; muitas; muitos; putz; ih; opa; show de bola
    """,
    light="""
        eu; nós; a gente; a; o; os; as; de; do; da; dos; das; em; no; na; nos; nas; um; uma; e; que
        q; pra; para; pro; por; pelo; pela; com; é; são; lá; la; aí; aqui; já; ja; só; também; tb
        tbm; todos; todas; tudo; mesmo; muito; bem; este; esta; esse; essa; nesse; neste; nessa
        nesta; dia; data; noite; tarde; festa; casamento; evento; cerimônia; meu; minha; meus
        minhas; nosso; nossa; seu; sua; vocês; você; vcs; me; te; se; isso; agora; então; gente
        mais; tão; sempre; juntos; aos; ao; à; às; presença; viu; né; ne; ser; vez; hoje; amanhã
        dessa; desta
    """,
    plain="""
        semana; corrida; demais; mensagem; hoje; amanhã; ontem; janeiro; fevereiro; março; abril
        maio; junho; julho; agosto; setembro; outubro; novembro; dezembro; trabalho; crianças
        filhos; cedo; tarde; atrasados; atrasado; hora; horas; número; antes; depois; porque; quando
        sobre; até; desde; outro; outra; pessoa; pessoas; mundo; nada; lugar; lugares; adultos
        somos; seremos; tem; ter; há; ver; vi; ainda; agora; vestido; comprei; hotel; carro; avião
        ônibus; voo; passagem; igreja; vegetariana; vegetariano; família; mãe; pai; ou; como; toda
        todo; cada; bebê; sozinho; sozinha; somente; apenas; começo; início; certeza; tempo; parte
        quem; respondido; país; cidade; temos; tenho; pode; possível; levar; pouco; entendi
        entendido; pais
    """,
    numbers="""
        zero = 0; um = 1; uma = 1; dois = 2; duas = 2; três = 3; tres = 3; quatro = 4; cinco = 5
        seis = 6; meia dúzia = 6; sete = 7; oito = 8; nove = 9; dez = 10; onze = 11; doze = 12
        quinze = 15; vinte = 20
    """,
    party="""
        só|somente|apenas mesmo? eu = 1; eu só|sozinho|sozinha|mesmo = 1; sozinho = 1; sozinha = 1
        só uma|1 pessoa = 1; os|nós|as|nos dois|duas|2 = 2; eu e ele|ela = 2; em casal = 2
        nós três = 3; os três = 3; os quatro = 4; nós quatro = 4; ambos = 2
    """,
    we_are="""
        somos; seremos; seríamos; vamos em?; iremos em?; vai; vão; no total; total de
        família de|com; grupo de; mesa para|pra; confirmo; confirmamos; confirmado; confirmada
        presença de|para|pra; para; pra; estaremos em; serão; vamos ser; em; irão; contem
        presença confirmada de?
    """,
    in_all="de nós; no total; total; ao todo; comigo; todos juntos",
    me="eu; mim; comigo",
    one="""
        minha? esposa|mulher|namorada|mãe|irmã|filha|noiva|sogra|avó|tia|prima|companheira
        meu? marido|esposo|namorado|pai|irmão|filho|noivo|sogro|avô|tio|primo|companheiro
        um|uma|meu|minha|mais amigo|amiga|acompanhante|convidado
        um|uma|meu|minha|mais convidada|bebê|criança|colega|pessoa; o bebê; a bebê; alguém
        nosso bebê|filho; nossa filha; mãe; pai; mozão; a patroa; o nenê; minha patroa
    """,
    people="""
        pessoas; pessoa; adultos; adulto; convidados; lugares; lugar; cadeiras; assentos; convites
        vagas; ingressos; participantes
    """,
    adults="adultos; adulto; jovens",
    kids="""
        crianças; criança; filhos; filhas; filho; amigos; amigas; bebês; bebê; menores; jovens
        meninos; meninas; netos; miúdos; irmãos
    """,
    and_="e; &; mais um",
    with_="""
        com; junto com; acompanhado de; acompanhada de; levar; levarei; levo; vou levar
        acompanhado da; acompanhada do
    """,
    plus="mais; +",
    or_="ou",
    instead="""
        não; não espera; espera; desculpa; digo; quer|quero dizer; ou melhor; melhor; agora
        agora só|somos; aliás; na verdade; corrigindo
    """,
    of_which="""
        sendo; dos quais; das quais; incluindo; inclusive; entre eles; destes; um vegetariano
        desses
    """,
    for_="para; pra; x; em; por; de; uns; os; como; presença; presença de; só",
    at="""
        às; as; à; dia; no dia; lá pelas; por volta das; até; até as; das; depois das; antes das
        umas; pelas; número; até dia; a partir das; rua; aniversário
    """,
    unit="""
        h; hs; horas; hora; hrs; da noite|tarde|manhã; min; minutos; dias; semanas; meses; anos
        de janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro
        km; reais; euros; por cento; vezes; vegetariano; vegetarianos; e meia; em ponto; noites; pm
        am; quadras
    """,
    called="""
        não; rua; número; numero; quarto; salão; mesa; portão; andar; apartamento; apto; casa
        avenida; av; código; sala; linha; flores; nº
    """,
    alone_yes="""
        s; sin; siim; sm; yep; claroo; bora; siiim; presente; presentes; aceitar; confirmar
        participar
    """,
    alone_no="nn; nao nao; nã; nop; negativo; ñ; nein; recusar; rejeitar",
    auxiliary="vou; vamos; vai; irei; iremos; vamo",
    infinitives_end=("ar", "er", "ir", "or"),
)
