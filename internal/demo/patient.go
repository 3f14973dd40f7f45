package demo

// patient is a beneficiary of the demonstration. What the operator says follows from the
// card: those that begin with 9999 are listed on the page Ajuda, and with any other one
// is authorized.
type patient struct {
	name, card, operator, plan string

	rightCard string // what a correction has in place of card, "" for the same
	newborn   string // name of the newborn who is cared for with the card
}

// Operators, as the demonstration's credentials are called.
const (
	aroeira   = "Aroeira Planos"
	boa       = "Boa Guarida"
	jequitiba = "Jequitibá Saúde"
	silverado = "Silverado Assistência"
	vale      = "Vale Sereno"
)

// patients are invented, as are their cards.
var patients = map[string]patient{
	"antonio": {name: "Antônio Carlos Menezes", card: "0310 0127 4410 9021", operator: aroeira, plan: "Essencial Enfermaria"},
	"beatriz": {name: "Beatriz Nogueira Lima", card: "0310 0098 1150 7730", operator: aroeira, plan: "Pleno Apartamento"},
	"carlos":  {name: "Carlos Eduardo Vidal", card: "77193 002214 08", operator: boa, plan: "Família"},
	"dalva":   {name: "Dalva Ferreira Pinto", card: "77193 004871 11", operator: boa, plan: "Sênior"},
	"eduardo": {name: "Eduardo Tanaka", card: "0042 7118 3306 45", operator: jequitiba, plan: "Empresarial Nacional"},
	"gabriel": {name: "Gabriel Monteiro Alves", card: "0042 7120 9917 02", operator: jequitiba, plan: "Empresarial Nacional"},
	"ines":    {name: "Inês d'Ávila Carvalho", card: "4417 500 338 126", operator: silverado, plan: "Ouro"},
	"joao":    {name: "João Batista Queiroz", card: "4417 500 912 640", operator: silverado, plan: "Prata"},
	"karina":  {name: "Karina Yumi Sato", card: "031044 7781 0093", operator: vale, plan: "Vale Mais"},
	"luzia":   {name: "Luzia Aparecida Rocha", card: "031044 2310 6648", operator: vale, plan: "Vale Mais"},
	"manoel":  {name: "Manoel Inácio Bezerra", card: "0310 0166 0027 5518", operator: aroeira, plan: "Essencial Enfermaria"},
	"paula":   {name: "Paula Cristina Amaral", card: "77193 007302 54", operator: boa, plan: "Família"},
	"rafael":  {name: "Rafael Gomes da Silva", card: "0310 0204 8871 3306", operator: aroeira, plan: "Pleno Apartamento"},
	"sonia":   {name: "Sônia Maria Peixoto", card: "4417 501 220 977", operator: silverado, plan: "Prata"},
	"tereza":  {name: "Tereza Cristina Falcão", card: "0042 7093 1184 60", operator: jequitiba, plan: "Individual"},
	"wagner":  {name: "Wagner Leal Fontes", card: "031044 5502 7719", operator: vale, plan: "Vale Simples"},
	"clarice": {name: "Clarice Rosenthal", card: "0310 0177 6402 9985", operator: aroeira, plan: "Pleno Apartamento"},
	"gilda":   {name: "Gilda Pacheco Nunes", card: "77193 001196 37", operator: boa, plan: "Sênior"},

	"quiteria":  {name: "Quitéria Barbosa Lins", card: "9999 0203 1174 0052", operator: silverado, plan: "Prata"},
	"denis":     {name: "Dênis Okamoto", card: "9999 0208 4410 3391", operator: aroeira, plan: "Essencial Enfermaria"},
	"neide":     {name: "Neide Sousa Teles", card: "9999 0301 7745 2208", operator: aroeira, plan: "Pleno Apartamento"},
	"bruno":     {name: "Bruno Cavalcanti", card: "9999 0402 9931 7064", operator: jequitiba, plan: "Individual"},
	"zuleide":   {name: "Zuleide Campos Reis", card: "9999 0407 3308 1945", operator: vale, plan: "Vale Simples"},
	"marta":     {name: "Marta Lúcia Siqueira", card: "9999 0411 2260 8837", operator: boa, plan: "Família"},
	"fabio":     {name: "Fábio Antunes Braga", card: "9999 0505 6642 1180", operator: boa, plan: "Família"},
	"yasmin":    {name: "Yasmin Abdalla Cruz", card: "9999 0603 5518 4402", operator: aroeira, plan: "Essencial Enfermaria"},
	"jonas":     {name: "Jonas Vilela Prates", card: "9999 0609 8173 2256", operator: silverado, plan: "Ouro"},
	"ivone":     {name: "Ivone Sales Bastos", card: "9999 0702 4490 6613", operator: silverado, plan: "Ouro"},
	"milton":    {name: "Milton Hideki Abe", card: "9999 0801 3357 9920", operator: aroeira, plan: "Pleno Apartamento"},
	"rosangela": {name: "Rosângela Mota Pires", card: "9999 0804 7712 6038", operator: jequitiba, plan: "Empresarial Nacional"},
	"sergio":    {name: "Sérgio Luiz Arruda", card: "9999 0806 1109 5547", operator: vale, plan: "Vale Mais"},
	"teodoro":   {name: "Teodoro Freire Maia", card: "9999 0809 6634 2071", operator: boa, plan: "Sênior"},
	"otavio":    {name: "Otávio Lacerda Moura", card: "9999 0906 2283 5519", operator: silverado, plan: "Prata"},
	"valdir": {name: "Valdir Assunção Neto", card: "9999 1003 8840 1726", operator: aroeira, plan: "Essencial Enfermaria",
		rightCard: "0310 0603 8840 1726"},
	"nair":      {name: "Nair Gonçalves Dutra", card: "9999 1105 4471 9908", operator: boa, plan: "Sênior"},
	"celso":     {name: "Celso Amorim Tavora", card: "9999 1304 7725 3360", operator: jequitiba, plan: "Individual"},
	"lucia":     {name: "Lúcia Helena Farias", card: "9999 1402 5538 6614", operator: jequitiba, plan: "Empresarial Nacional"},
	"ubirajara": {name: "Ubirajara Matos Leite", card: "9999 1507 3316 0885", operator: vale, plan: "Vale Mais"},
	"hugo":      {name: "Hugo Sant'Anna Melo", card: "9999 1602 9054 7731", operator: aroeira, plan: "Essencial Enfermaria"},
	"olivia": {name: "Olívia Brandt Moraes", card: "9999 1608 4420 1573", operator: aroeira, plan: "Pleno Apartamento",
		rightCard: "0310 0608 4420 1573"},
	"evandro": {name: "Evandro Paiva Rangel", card: "9999 1703 6681 2247", operator: silverado, plan: "Ouro"},
	"simone":  {name: "Simone Ribas Castilho", card: "9999 1801 5529 7794", operator: boa, plan: "Família"},
	"vanessa": {name: "Vanessa Torres Brito", card: "9999 1906 3347 8812", operator: aroeira, plan: "Pleno Apartamento"},
	"regina":  {name: "Regina Célia Porto", card: "9999 2004 7718 6650", operator: vale, plan: "Vale Mais"},
	"alice":   {name: "Alice Moreno Batista", card: "9999 2103 1186 4429", operator: jequitiba, plan: "Individual"},
	"elza":    {name: "Elza Moreira Campelo", card: "9999 2207 5563 0918", operator: aroeira, plan: "Essencial Enfermaria"},
	"pedro":   {name: "Pedro Henrique Lobo", card: "9999 2506 8892 3374", operator: silverado, plan: "Prata"},
	"camila": {name: "Camila Andrade Viana", card: "9999 2704 1120 5593", operator: aroeira, plan: "Pleno Apartamento",
		newborn: "RN de Camila Andrade Viana"},
	"fatima": {name: "Fátima Regina Coelho", card: "9999 3301 4478 2260", operator: aroeira, plan: "Essencial Enfermaria"},
	"mauro":  {name: "Mauro Lins Vasques", card: "9999 3305 9917 6038", operator: boa, plan: "Família"},
	"edna":   {name: "Edna Sobral Ramalho", card: "9999 3308 2264 7715", operator: vale, plan: "Vale Mais"},
}

// requester is a physician who asks, with the number and the state of the CRM.
type requester struct{ name, number, state string }

// requesters are invented, too.
var requesters = map[string]requester{
	"caio":   {"Caio Leme", "104552", "SP"},
	"livia":  {"Lívia Monteiro Prado", "118930", "SP"},
	"osvald": {"Osvaldo Pimenta", "61204", "SP"},
	"renata": {"Renata Kuhn", "132417", "SP"},
	"samuel": {"Samuel Arantes", "97745", "MG"},
	"tais":   {"Taís Bittencourt", "145082", "SP"},
	"viana":  {"Augusto Viana", "80316", "SP"},
}

// care is a kind of what the clinic does: who does it, and what the guide says of it.
type care struct {
	professional string
	specialty    int
	careType     string // ANS table 50
	indication   string
}

var (
	laboratory = care{"Dra. Elisa Monteverde", 2, "23", "Controle de doença crônica"}
	imaging    = care{"Dra. Elisa Monteverde", 1, "23", "Dor a esclarecer"}
	cardiology = care{"Dr. Ivo Sampaio", 3, "23", "Hipertensão arterial em acompanhamento"}
	consulting = care{"Dr. Ivo Sampaio", 4, "04", ""}
	physio     = care{"Lena Brandão", 5, "03", "Reabilitação após lesão"}
)
