// F2, F4 and F8 press or focus the control with that data-shortcut; Ctrl+Enter is
// F8. While a modal dialog is open only the browser's own Enter and Esc work. The
// account page can leave the function keys to the browser (data-shortcuts="off").
document.addEventListener('keydown', event => {
  const key = event.key === 'Enter' && event.ctrlKey ? 'F8' : event.key;
  if (document.body.dataset.shortcuts === 'off') return;
  if (!/^F\d+$/.test(key) || event.altKey || event.metaKey || event.shiftKey) return;
  const control = document.querySelector(`[data-shortcut="${key}"]`);
  if (!control) return;
  event.preventDefault();
  if (event.repeat || document.querySelector('dialog:modal')) return;
  if (control.matches('input')) {
    control.focus();
    control.select();
  } else {
    control.click();
  }
});
