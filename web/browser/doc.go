// Package browser holds the tests of the pages in a real browser, Debian's
// Chromium. They need Chromium, Node.js and the packages of package-lock.json, which
// make tools installs, and leave screenshots in the folder that QUINTET_SHOTS names,
// or in the system's folder for temporary files.
//
// They run without the race detector alone: it would find nothing in them, and
// make test runs them once that way.
package browser
