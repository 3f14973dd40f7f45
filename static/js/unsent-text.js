// Whoever leaves a case with something typed and not sent is asked first: F2, F9 and Esc are pressed out of habit.
// A browser that never asks keeps its pages for "back"; so it is told only once there is something to ask about.
const fields = '#caso :is(textarea,input)';
const ask = event => {
  if (Array.from(document.querySelectorAll(fields)).some(field => field.value !== field.defaultValue)) event.preventDefault();
};
document.addEventListener('input', event => { if (event.target.matches(fields)) window.addEventListener('beforeunload', ask); });
for (const end of ['submit', 'session:ended']) document.addEventListener(end, () => window.removeEventListener('beforeunload', ask));
