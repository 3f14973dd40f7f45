// Measures one page with Lighthouse: node measure.mjs URL COOKIE RUNS. It prints a JSON
// object with the results for a desktop and a phone: the median of each category's score,
// what the audits of accessibility and best practices found, and requests to other hosts.
import { launch } from 'chrome-launcher';
import lighthouse, { defaultConfig, desktopConfig } from 'lighthouse';

const [url, cookie, runs] = process.argv.slice(2);
const categories = ['performance', 'accessibility', 'best-practices'];
const median = numbers => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

// found are the audits of a report that cost points, but for those of speed.
const found = report => categories.slice(1).flatMap(category => report.categories[category].auditRefs)
  .filter(({ id, weight }) => weight > 0 && report.audits[id].score !== null && report.audits[id].score < 1)
  .map(({ id }) => `${id}: ${JSON.stringify(report.audits[id].details?.items ?? []).slice(0, 400)}`);

const speed = report => Object.fromEntries(report.categories.performance.auditRefs.filter(({ weight }) => weight > 0)
  .map(({ id, acronym }) => [acronym, report.audits[id].displayValue ?? '']));

const foreign = report => (report.audits['network-requests'].details?.items ?? [])
  .map(item => item.url).filter(address => /^(https?|wss?):/.test(address) && new URL(address).host !== new URL(url).host);

async function measured(chrome, config) {
  const reports = [];
  for (let i = 0; i < Number(runs); i++) {
    const flags = { port: chrome.port, logLevel: 'error', onlyCategories: categories, extraHeaders: cookie ? { Cookie: cookie } : {} };
    const { lhr } = await lighthouse(url, flags, config);
    if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
    reports.push(lhr);
  }
  const scores = categories.map(name => [name, Math.round(100 * median(reports.map(r => r.categories[name].score)))]);
  return {
    ...Object.fromEntries(scores), speed: speed(reports[0]), at: reports[0].finalDisplayedUrl,
    found: [...new Set(reports.flatMap(found))], foreign: [...new Set(reports.flatMap(foreign))],
  };
}

const chrome = await launch({ chromePath: process.env.CHROME_PATH, chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu'] });
try {
  const desktop = await measured(chrome, desktopConfig), mobile = await measured(chrome, defaultConfig);
  console.log(JSON.stringify({ desktop, mobile }));
} finally {
  chrome.kill();
}
