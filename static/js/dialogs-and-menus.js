// Modal dialogs, menus, confirmations and printing.
function openModals() {
  for (const dialog of document.querySelectorAll('dialog[data-modal][open]')) {
    if (dialog.matches(':modal')) continue;
    dialog.open = false;
    dialog.showModal();
    dialog.addEventListener('close', () => document.querySelector('[data-shortcut="F8"]')?.focus());
  }
}
document.addEventListener('DOMContentLoaded', openModals);
document.addEventListener('htmx:after:swap', openModals);

function closeMenus(except) {
  for (const menu of document.querySelectorAll('details[data-menu][open]')) if (menu !== except) menu.open = false;
}
// An open menu lies over what Tab leads to after it.
for (const name of ['click', 'focusin']) {
  document.addEventListener(name, event => closeMenus(event.target.closest?.('details[data-menu]')));
}
document.addEventListener('keydown', event => {
  if (event.key !== 'Escape') return;
  const menu = event.target.closest('details[data-menu][open]');
  if (!menu) return;
  event.preventDefault();
  menu.open = false;
  menu.querySelector('summary').focus();
});

document.addEventListener('click', event => {
  const control = event.target.closest('[data-confirm]');
  if (control && !window.confirm(control.dataset.confirm)) event.preventDefault();
});
document.addEventListener('click', event => {
  if (event.target.closest('[data-print-page]')) window.print();
});
