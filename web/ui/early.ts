// Runs before the first paint: sets the chosen theme, so that nothing flashes.

try {
  document.documentElement.dataset.theme = JSON.parse(localStorage.getItem("quintet.theme") ?? '"auto"');
} catch {
  // storage is switched off: the theme is the device's
}

export {};
