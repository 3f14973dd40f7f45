package console

import (
	"context"
	"net/http"

	"guiche/internal/service"
	"guiche/web/component"
	"guiche/web/page"

	"github.com/labstack/echo/v4"
)

// home serves GET /servico.
func (k *console) home(c echo.Context) error {
	ctx := c.Request().Context()
	where, err := k.where(ctx)
	if err != nil {
		return err
	}
	view := page.ConsoleView{Where: where}
	if k.Installation != OtherService {
		if view.Cards, err = k.cards(ctx); err != nil {
			return err
		}
		if view.Attack, err = k.attackNotice(ctx); err != nil {
			return err
		}
	}
	if view.Page, err = k.web.Frame(c, "Serviço"); err != nil {
		return err
	}
	return k.web.Render(c, http.StatusOK, page.ConsolePage(view))
}

// where says what the service is for here.
func (k *console) where(ctx context.Context) (component.Notice, error) {
	if k.Installation == Standalone {
		return standaloneNotice(len(k.admin.Operators()) > 0), nil
	}
	other, err := k.DeskService(ctx)
	return deskServiceNotice(other, k.Installation == WithDesk), err
}

// standaloneNotice says where partners find the service, or that no operator decides
// what they ask for.
func standaloneNotice(operators bool) component.Notice {
	if !operators {
		return component.Notice{Tone: component.ToneAttention, Icon: "exclamation-triangle", Strong: "Nenhuma operadora ligada.",
			Text: "O serviço responde aos parceiros, mas ainda não há quem autorize o que eles pedem. Para treino, inicie o " +
				"Guichê com operadoras simuladas (GUICHE_SIMULATED)."}
	}
	return component.Notice{Tone: component.ToneNeutral, Icon: "info-circle", Strong: "Serviço no ar.",
		Text: "Os sistemas dos parceiros pedem autorizações em /api/ e /oauth/ deste endereço, cada um com o acesso que recebeu aqui.",
		Link: component.Link{Href: descriptionPath, Text: "Ver como se pede."}}
}

// deskServiceNotice says which service the desk sends to, and what the embedded one is
// still for.
func deskServiceNotice(other string, embedded bool) component.Notice {
	n := component.Notice{Tone: component.ToneNeutral, Icon: "info-circle", Link: component.Link{Href: "/servico/conexao",
		Text: "Ver a conexão."}}
	switch {
	case other == "":
		n.Strong = "Serviço embutido em uso."
		n.Text = "Os pedidos da recepção e os dos parceiros passam por ele, dentro deste Guichê, em /api/ e /oauth/ deste endereço."
	case embedded:
		n.Strong = "A recepção usa outro serviço."
		n.Text = "Os pedidos dela vão para " + other +
			". O serviço embutido, abaixo, continua atendendo os parceiros em /api/ e /oauth/ deste endereço."
	default:
		n.Strong = "Outro serviço em uso."
		n.Text = "Os pedidos da recepção vão para " + other + "; parceiros, credenciais e registro ficam no console dele."
	}
	return n
}

// cards are the pages of GET /servico with how much each holds, disabled entries
// included; the ledger and the description have no number.
func (k *console) cards(ctx context.Context) ([]page.DirectoryCard, error) {
	profiles, err := k.admin.Profiles(ctx)
	if err != nil {
		return nil, err
	}
	credentials, err := k.admin.Credentials(ctx, service.CredentialQuery{Page: 1, Size: 1, Disabled: true})
	if err != nil {
		return nil, err
	}
	units, err := k.admin.Units(ctx, service.DirectoryQuery{Page: 1, Size: 1, Disabled: true})
	if err != nil {
		return nil, err
	}
	professionals, err := k.admin.Professionals(ctx, service.DirectoryQuery{Page: 1, Size: 1, Disabled: true})
	if err != nil {
		return nil, err
	}
	traffic, err := k.Traffic(ctx)
	if err != nil {
		return nil, err
	}
	total := 0
	for _, r := range traffic.Routes {
		total += r.Total
	}
	return []page.DirectoryCard{
		{Href: partnersPath, Title: "Parceiros", Count: count(len(profiles), "parceiro", "parceiros"),
			Detail: "Os sistemas que pedem autorizações por aqui: como entram, o que podem, quantos pedidos por minuto; suas " +
				"chaves, clientes, usuários e sessões."},
		{Href: credentialsPath, Title: "Credenciais", Count: count(credentials.Total, "credencial", "credenciais"),
			Detail: "Os códigos da clínica em cada operadora, por que conector se fala com ela e o que ela exige de um pedido."},
		{Href: unitsPath, Title: "Unidades", Count: count(units.Total, "unidade", "unidades"),
			Detail: "Onde a clínica atende, com os pontos de atendimento; os parceiros as leem daqui para pedir."},
		{Href: professionalsPath, Title: "Profissionais", Count: count(professionals.Total, "profissional", "profissionais"),
			Detail: "Quem faz os procedimentos, com conselho e especialidades; os parceiros os leem daqui para pedir."},
		{Href: ledgerPath, Title: "Registro",
			Detail: "Tudo o que foi pedido e decidido, com números, horas, códigos e tamanhos; nunca o conteúdo."},
		{Href: trafficPath, Title: "Tráfego", Count: count(total, "pedido", "pedidos"),
			Detail: "Quantos pedidos chegam agora, em que endereço, e com que resposta."},
		{Href: descriptionPath, Title: "Descrição",
			Detail: "Para quem liga um sistema ao serviço: cada endereço com o que recebe, o que responde e um exemplo que funciona."},
	}, nil
}
