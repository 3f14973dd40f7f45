package webui

import (
	"fmt"
	"strconv"
	"time"

	"guiche/internal/authorization"
)

var (
	weekdays = [...]string{"domingo", "segunda-feira", "terça-feira", "quarta-feira", "quinta-feira", "sexta-feira", "sábado"}
	months   = [...]string{"janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro",
		"novembro", "dezembro"}
)

// now is the time in the desk's zone.
func (s *server) now() time.Time { return s.clock().In(s.Zone) }

// longDay returns "sexta-feira, 20 de novembro".
func longDay(t time.Time) string {
	return fmt.Sprintf("%s, %d de %s", weekdays[t.Weekday()], t.Day(), months[t.Month()-1])
}

// moment returns the time of day, with the date before it on another day, and the date's year in another year.
func (s *server) moment(t time.Time) string { return s.present().moment(t) }

// ago returns how long since: "agora", "há 12 min", "há 3 h 05", "há 2 dias", "há 4 meses", "há 3 anos".
func (s *server) ago(t time.Time) string { return s.present().ago(t) }

// distance tells how far a day is, and whether it presses.
func (s *server) distance(until authorization.LocalTime) (words string, soon bool) {
	return s.present().distance(until)
}

// present is now, for the times of one page: to ask what time it is takes as long as to write one.
type present struct {
	now   time.Time // in the desk's zone
	today authorization.LocalTime
}

func (s *server) present() present {
	now := s.now()
	return present{now, authorization.NewLocalTime(now)}
}

func (p present) moment(t time.Time) string {
	t = t.In(p.now.Location())
	text := make([]byte, 0, len("02/01 15:04"))
	switch {
	case t.Year() != p.now.Year():
		return written(t)
	case !sameDay(t, p.now):
		text = append(appendDay(text, t), ' ')
	}
	return string(appendTime(text, t))
}

// written returns "20/11/2026 14:00", in the time's zone.
func written(t time.Time) string {
	text := appendDay(make([]byte, 0, len("02/01/2006 15:04")), t)
	text = append(strconv.AppendInt(append(text, '/'), int64(t.Year()), 10), ' ')
	return string(appendTime(text, t))
}

// appendDay and appendTime add "20/11" and "14:00". time.Format reads its layout anew for each time.
func appendDay(text []byte, t time.Time) []byte {
	_, month, day := t.Date()
	return appendTwo(append(appendTwo(text, day), '/'), int(month))
}

func appendTime(text []byte, t time.Time) []byte {
	hour, minute, _ := t.Clock()
	return appendTwo(append(appendTwo(text, hour), ':'), minute)
}

// appendTwo adds a number of two digits.
func appendTwo(text []byte, n int) []byte { return append(text, byte('0'+n/10), byte('0'+n%10)) }

// when returns "hoje, 14:00" or "19/11/2026, 14:00".
func (s *server) when(t time.Time) string {
	t = t.In(s.Zone)
	if sameDay(t, s.now()) {
		return "hoje, " + t.Format("15:04")
	}
	return t.Format("02/01/2006, 15:04")
}

// sameDay compares the dates as written; both times must be in the same zone.
func sameDay(a, b time.Time) bool { return a.YearDay() == b.YearDay() && a.Year() == b.Year() }

// justNow is what ago says within the first minute.
const justNow = "agora"

func (p present) ago(t time.Time) string {
	d := p.now.Sub(t)
	switch {
	case d < time.Minute:
		return justNow
	case d < time.Hour:
		return "há " + strconv.Itoa(int(d.Minutes())) + " min"
	case d < 24*time.Hour:
		return fmt.Sprintf("há %d h %02d", int(d.Hours()), int(d.Minutes())%60)
	case d < 48*time.Hour:
		return "há 1 dia"
	}
	return "há " + countDays(int(d.Hours())/24)
}

// countDays counts days as long as a person does: from 60 on months of 30 days, from 730 on years.
func countDays(days int) string {
	switch {
	case days < 60:
		return strconv.Itoa(days) + " dias"
	case days < 730:
		return strconv.Itoa(days/30) + " meses"
	}
	return strconv.Itoa(days/365) + " anos"
}

// soonDays is when a validity starts to press.
const soonDays = 7

func (p present) distance(until authorization.LocalTime) (words string, soon bool) {
	days := p.today.DaysUntil(until)
	switch {
	case days < -1:
		return "venceu há " + countDays(-days), true
	case days == -1:
		return "venceu ontem", true
	case days == 0:
		return "vence hoje", true
	case days == 1:
		return "vence amanhã", true
	case days <= soonDays:
		return fmt.Sprintf("vence em %d dias", days), true
	}
	return "em " + countDays(days), false
}
