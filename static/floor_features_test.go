package static_test

import "regexp"

// The floor: Chrome and Edge 109 (the last for Windows 7 and 8), Firefox ESR 115,
// Safari 16.4.

// newer is a feature that one of the floor's browsers lacks.
type newer struct {
	name    string
	pattern *regexp.Regexp
	since   string // first versions that have it, or why it is kept out
	sample  string // what the pattern must find
}

func feature(name, pattern, since, sample string) newer {
	return newer{name, regexp.MustCompile(pattern), since, sample}
}

var newerStyles = []newer{
	feature("light-dark()", `light-dark\(`, "Chrome 123, Firefox 120, Safari 17.5", `color:light-dark(#000,#fff)`),
	feature(":has()", `:has\(`, "Chrome 105, Firefox 121, Safari 15.4", `a:has(b){}`),
	feature("color-mix()", `color-mix\(`, "Chrome 111, Firefox 113, Safari 16.2", `color-mix(in srgb,red,blue)`),
	feature("relative colours", `\((from)\s`, "Chrome 119, Firefox 128, Safari 16.4", `rgb(from red r g b)`),
	feature("oklch() and oklab()", `\boklch\(|\boklab\(`, "Chrome 111, Firefox 113, Safari 15.4", `oklch(0.4 0 0)`),
	feature("nesting", `(?m)^[^{}@]*\{[^{}]*[&:.#\[>+~][^{};]*\{|&\s*[:.\[>]`, "Chrome 112, Firefox 117, Safari 16.5",
		`a{color:red;&:hover{color:blue}}`),
	feature("@scope", `@scope\b`, "Chrome 118, Firefox 128, Safari 17.4", `@scope (.a){}`),
	feature("@starting-style", `@starting-style\b`, "Chrome 117, Firefox 129, Safari 17.5", `@starting-style{}`),
	feature("@property", `@property\b`, "Chrome 85, Firefox 128, Safari 16.4", `@property --a{}`),
	feature("@layer", `@layer\b`, "kept out: it turns the cascade with Bootstrap around", `@layer base;`),
	feature("style container queries", `@container\s+style`, "Chrome 111, Firefox none, Safari 18", `@container style(--a:1)`),
	feature("text-wrap", `text-wrap\s*:`, "Chrome 114, Firefox 121, Safari 17.5", `text-wrap: balance`),
	feature("subgrid", `\bsubgrid\b`, "Chrome 117, Firefox 71, Safari 16", `grid-template-rows:subgrid`),
	feature("anchor positioning", `(^|[^\w-])anchor(-name)?\s*[:(]|position-anchor`,
		"Chrome 125, Firefox none, Safari 26", `top:anchor(bottom)`),
	feature("popover", `:popover-open`, "Chrome 114, Firefox 125, Safari 17", `:popover-open`),
	feature(":user-invalid", `:user-(in)?valid`, "Chrome 119, Firefox 88, Safari 16.5", `a:user-invalid{}`),
	feature(":state() and :open", `:state\(|:open\b`, "Chrome 125 and 133, Firefox 126 and 136", `details:open{}`),
	feature("field-sizing", `field-sizing\s*:`, "Chrome 123, Firefox none, Safari 26", `field-sizing:content`),
	feature("interpolate-size", `interpolate-size|calc-size\(`, "Chrome 129", `interpolate-size:allow-keywords`),
	feature("view transitions", `view-transition|::view-`, "Chrome 111, Firefox 144, Safari 18", `::view-transition-old(x)`),
	feature("scroll-driven animation", `animation-timeline|scroll-timeline|view\(\)`,
		"Chrome 115, Firefox none, Safari 26", `animation-timeline:scroll()`),
	feature("round(), mod(), rem()", `\b(round|mod|rem)\(`, "Chrome 125, Firefox 118, Safari 15.4", `width:round(1px,2px)`),
	feature("if() and functions", `\bif\(|@function\b`, "Chrome 137", `color:if(media(print): red)`),
	feature("margin-trim, line-clamp", `margin-trim|(^|[^-])line-clamp`, "no common version", `margin-trim:block`),
	feature("math on types", `\bsibling-index\(|\battr\([^)]*type`, "Chrome 133", `width:calc(sibling-index()*1px)`),
	feature("range media queries", `@media[^{]*[<>]`, "Chrome 104, Firefox 63, Safari 16.4: kept out, min-width says it",
		`@media (width>=10px){}`),
}

var newerScripts = []newer{
	feature("findLast", `\.findLast(Index)?\(`, "Chrome 97, Firefox 104, Safari 15.4: kept out with its family", `x.findLast(f)`),
	feature("toSorted and family", `\.(toSorted|toReversed|toSpliced|with)\(`, "Chrome 110, Firefox 115, Safari 16", `x.toSorted()`),
	feature("Array.fromAsync", `Array\.fromAsync`, "Chrome 121, Firefox 115, Safari 16.4", `Array.fromAsync(x)`),
	feature("Promise.withResolvers", `withResolvers`, "Chrome 119, Firefox 121, Safari 17.4", `Promise.withResolvers()`),
	feature("Promise.try", `Promise\.try`, "Chrome 128, Firefox 134, Safari 18.2", `Promise.try(f)`),
	feature("URL.canParse and parse", `URL\.(canParse|parse)\(`, "Chrome 120, Firefox 115, Safari 17", `URL.canParse(x)`),
	feature("groupBy", `\b(Object|Map)\.groupBy`, "Chrome 117, Firefox 119, Safari 17.4", `Object.groupBy(x, f)`),
	feature("set methods", `\.(union|intersection|difference|symmetricDifference|isSubsetOf|isSupersetOf|isDisjointFrom)\(`,
		"Chrome 122, Firefox 127, Safari 17", `a.union(b)`),
	feature("iterator helpers",
		`\.(values|keys|entries)\(\)\.(map|filter|take|drop|some|every|find|toArray|forEach|reduce|flatMap)\(|\bIterator\.`,
		"Chrome 122, Firefox 131, Safari 18.4", `m.values().map(f)`),
	feature("AbortSignal.any", `AbortSignal\.any`, "Chrome 116, Firefox 124, Safari 17.4", `AbortSignal.any([a])`),
	feature("view transitions", `startViewTransition`, "Chrome 111, Firefox 144, Safari 18", `document.startViewTransition(f)`),
	feature("moveBefore", `moveBefore`, "Chrome 133, Firefox 144, Safari none", `a.moveBefore(b, c)`),
	feature("popover", `(show|hide|toggle)Popover|popovertarget|\bpopover\b`, "Chrome 114, Firefox 125, Safari 17", `a.showPopover()`),
	feature("setHTML, parseHTMLUnsafe", `setHTML|parseHTMLUnsafe|getHTML`, "Chrome 124, Firefox 128, Safari 17.4", `a.setHTMLUnsafe(b)`),
	feature("navigation API", `\bnavigation\.`, "Chrome 102, Firefox 147, Safari 26.2", `navigation.navigate(x)`),
	feature("checkVisibility", `checkVisibility`, "Chrome 105, Firefox 106, Safari 17.4", `a.checkVisibility()`),
	feature("requestIdleCallback", `requestIdleCallback`, "Chrome 47, Firefox 55, Safari none", `requestIdleCallback(f)`),
	feature("scheduler", `\bscheduler\.`, "Chrome 94, Firefox 142, Safari none", `scheduler.yield()`),
	feature("cookieStore", `cookieStore`, "Chrome 87, Firefox 140, Safari 18.4", `cookieStore.get(x)`),
	feature("URLPattern", `URLPattern`, "Chrome 95, Firefox 142, Safari 26", `new URLPattern(x)`),
	feature("closedBy, command", `\b(closedby|closedBy|commandfor)\b`, "Chrome 134", `d.closedBy = 'any'`),
	feature("RegExp.escape and v flag", `RegExp\.escape|/v\b[;,) ]`, "Chrome 112, Firefox 116, Safari 17", `RegExp.escape(x)`),
	feature("isWellFormed", `(is|to)WellFormed`, "Chrome 111, Firefox 119, Safari 16.4", `x.isWellFormed()`),
	feature("import attributes", `\bwith\s*\{\s*type`, "Chrome 123, Firefox 138, Safari 17.2", `import a from 'b' with { type: 'json' }`),
	feature("using", `\b(await )?using \w+ =`, "Chrome 134", `using a = b`),
	feature("Intl.DurationFormat", `DurationFormat`, "Chrome 129", `new Intl.DurationFormat()`),
	feature("eval", `\beval\(|new Function\(`, "the policy of the pages forbids it", `eval(x)`),
	feature("inline style", `\.style\b|setAttribute\('style'`, "the style sheets say how things look", `a.style.color = b`),
}

var newerMarkup = []newer{
	feature("inline script", `<script(>|\s+(type="module")?>)`, "the policy of the pages forbids it", `<script>x</script>`),
	feature("inline style", `<style|\sstyle=`, "the policy of the pages forbids it", `<p style="x">`),
	feature("event attributes", `\son[a-z]+=`, "the policy of the pages forbids it", `<p onclick="x">`),
	feature("hx-on", `hx-on`, "needs eval", `<p hx-on:click="x">`),
	feature("script values", `=\s*"js:|='js:|javascript:`, "needs eval", `hx-vals="js:x"`),
	feature("trigger filters", `hx-trigger="[^"]*\[`, "needs eval", `hx-trigger="click[ctrlKey]"`),
	feature("popover", `\spopover|popovertarget`, "Chrome 114, Firefox 125, Safari 17", `<p popover>`),
	feature("invoker commands", `commandfor|closedby`, "Chrome 134", `<button commandfor="x">`),
	feature("exclusive details", `<details[^>]*\sname=`, "Chrome 120, Firefox 130, Safari 17.2", `<details class="x" name="y">`),
	feature("search element", `<search\b`, "Chrome 118, Firefox 118, Safari 17", `<search>`),
	feature("modulepreload", `modulepreload|importmap`, "Safari 17", `rel="modulepreload"`),
	feature("date inputs", `type="(date|number|datetime-local)"`, "their look follows the browser's language, not ours", `type="date"`),
}
