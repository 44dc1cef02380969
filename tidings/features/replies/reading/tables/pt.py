"""Portuguese, of Brazil and of Portugal."""

from ..table import Table
from . import pt_numbers as numbers
from . import pt_open as open_
from . import pt_people as people
from . import pt_refusals as refusals

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
        pode botar|colocar|pôr; bota|põe meu|nosso; impossível faltar|recusar|perder
        impossível não ir; impossível dizer não; não tem|há como eu? não ir|faltar
        não tem|há como faltar; não posso|podia|poderia deixar de ir|estar|aparecer|comparecer
        não podemos|podíamos|vou|vamos deixar de ir|estar|aparecer|comparecer
        não deixo|deixamos|deixaria|deixaríamos de ir|estar; não deixo por nada
        sou|somos doido|doida|louco|louca|maluco|maluca de não ir
        num|não tem nem? perigo de eu? num|não|faltar ir?; não tem perigo de faltar
        acha|achas|achou que eu? ia perder|faltar; acha|achas|achou que eu? ia ficar de fora
        não abro mão; claro que não perco|perdemos|falto; como não ir; nem que chova; nem doente
        recuso me a faltar; podes|pode ter a certeza; podes contar comigo|connosco
        não vou|vamos deixar na mão; não fico|ficamos|vou ficar de fora; imagina perder; não desisto
        não vou|vamos te|lhe|vos deixar; a gente não perde|falta; não|n tem|há como eu? n ir|faltar
        não|n tem como eu? não|n ir|faltar; não tenho|temos como não ir; não fico|ficamos de fora
        não vou|vamos ficar de fora; não vou deixar meu|minha|você; eu? ia ficar de fora
    """,
    no=refusals.NO,
    cannot=refusals.CANNOT,
    go="""
        vou; vamos; irei; iremos; vou sim; vamo; eu vou; a gente vai; nós vamos
        estarei|estaremos|estou|estamos lá|la|presente|presentes|aí|com|ai
        lá|la estarei|estaremos|estamos; compareço; comparecerei; compareceremos; comparecer; chego
        chegamos; chegaremos; chegarei; vou comparecer; participarei; participaremos; participo
        marcarei|marcaremos|marcamos presença; apareço; apareceremos; colo; colamos; tô indo
        estamos indo; vou lá; vo; vô; venho; vimos; comparecerá
        tô|to|tou|tamo|estou aí|lá|chegando|dentro; passo aí; tô|to|tou chegando; chego aí|lá
    """,
    be="estarei; estaremos; vou|vamos estar",
    to_go="""
        ir; comparecer; estar; vir; chegar; participar; ir lá; acompanhar; acompanhá-los; aparecer
        celebrar com; levo; levamos; levarei; trago
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
    miss=refusals.MISS,
    sorry=refusals.SORRY,
    how="""
        chegar|chegaremos|chego|chegamos|vou atrasado|atrasada|atrasados|tarde
        tarde; atrasado|atrasada|atrasados|atrasadas; atrasar|atraso|atrasamos
        sozinho|sozinha|sozinhos; cedo; antes; muito tempo; de mãos vazias
    """,
    spirit="""
        em espírito; em pensamento; de coração; no pensamento; em pensamentos; de alma e coração
    """,
    away=refusals.AWAY,
    maybe=open_.MAYBE,
    if_=open_.IF,
    ask=open_.ASK,
    but="mas; porém; contudo; só que; entretanto; embora; apesar; mais não; todavia",
    who="""
        ele; ela; eles; elas
        minha esposa|mulher|mãe|irmã|namorada|filha|sogra|avó|tia|noiva|família
        meu marido|esposo|pai|irmão|namorado|filho|sogro|avô|tio|noivo
        meus pais|filhos|irmãos|sogros|avós|tios; as crianças; os meninos; o bebê; a bebê; a família
    """,
    other=open_.OTHER,
    void=open_.VOID,
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
        deus abençoe; muito; muita; muitas; muitos; putz; ih; opa; show de bola; compadre; comadre
        tia; tio; mana; mano; irmão; irmã; dona; senhora; senhor; meu amor|bem|querido
        minha linda|filha|fia|flor|querida; prima; primo; cumpade; menina
    """,
    light="""
        eu; nós; a gente; a; o; os; as; de; do; da; dos; das; em; no; na; nos; nas; um; uma; e; que
        q; pra; para; pro; por; pelo; pela; com; é; são; lá; la; aí; aqui; já; ja; só; também; tb
        tbm; todos; todas; tudo; mesmo; muito; bem; este; esta; esse; essa; nesse; neste; nessa
        nesta; dia; data; noite; tarde; festa; casamento; evento; cerimônia; meu; minha; meus
        minhas; nosso; nossa; seu; sua; vocês; você; vcs; me; te; se; isso; agora; então; gente
        mais; tão; sempre; juntos; aos; ao; à; às; presença; viu; né; ne; ser; vez; hoje; amanhã
        dessa; desta; tá; ta; afinal; pronto
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
        entendido; pais; levo; levamos; levarei; trago; acordeão; bolo; carne; contando; fechados
        justos; daqui; deixa; deixem; olha; come; comem; congregação; prato; galera; gurizada
    """,
    numbers=numbers.NUMBERS,
    party=numbers.PARTY,
    we_are=numbers.WE_ARE,
    in_all=numbers.IN_ALL,
    me=people.ME,
    one=people.ONE,
    people=people.PEOPLE,
    group=people.GROUP,
    adults=people.ADULTS,
    kids=people.KIDS,
    pairs=people.PAIRS,
    vague=people.VAGUE,
    own=people.OWN,
    us=people.US,
    and_="e; i; &; mais; e mais; e também; mais um",
    with_=people.WITH,
    bring=people.BRING,
    lack=people.LACK,
    joining=people.JOINING,
    also=people.ALSO,
    plus="+",
    or_="ou",
    instead=numbers.INSTEAD,
    of_which=numbers.OF_WHICH,
    out_of=numbers.OUT_OF,
    about=numbers.ABOUT,
    for_=numbers.FOR,
    at=numbers.AT,
    unit=numbers.UNIT,
    more=numbers.MORE,
    fewer=numbers.FEWER,
    gone=people.GONE,
    skip=numbers.SKIP,
    called=numbers.CALLED,
    alone_yes="""
        s; sin; siim; sm; yep; claroo; bora; siiim; presente; presentes; aceitar; confirmar
        participar
    """,
    alone_no="nn; nao nao; nã; nop; negativo; ñ; nein; recusar; rejeitar",
    auxiliary="vou; vamos; vai; irei; iremos; vamo",
    infinitives_end=("ar", "er", "ir", "or"),
)
