// Package browser holds the tests of the pages in a real browser, Debian's
// Chromium. They need Chromium, Node.js and the packages of package-lock.json, which
// make tools installs, and leave screenshots in the folder that QUINTET_SHOTS names,
// or in the system's folder for temporary files.
//
// They are skipped under the race detector, which would find nothing in them; make test runs them
// once without it.
package browser
