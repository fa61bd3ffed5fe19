// What must be known before the first picture of a page is drawn: the theme that
// was chosen, so that nothing flashes.

try {
  document.documentElement.dataset.theme = JSON.parse(localStorage.getItem("quintet.theme") ?? '"auto"');
} catch {
  // storage is switched off: the theme is the device's
}

export {};
