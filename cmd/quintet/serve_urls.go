package main

import (
	"io"
	"net"
	"net/netip"
	"strconv"
)

// printURLs prints the addresses of the server for browsers; judges reports whether it judges the programs of classes.
func printURLs(out io.Writer, at net.Addr, judges bool) error {
	own, err := net.InterfaceAddrs()
	if err != nil {
		own = nil // print only the local address
	}
	here, elsewhere := urls(at, own)
	text := "Quintet is running at " + here + "\n"
	for _, url := range elsewhere {
		text += "and from other machines at " + url + "\n"
	}
	if judges {
		text += "Teachers and students start at " + append(elsewhere, here)[0] + "class\n"
	}
	if judges && len(elsewhere) == 0 {
		text += "Only this machine can connect. With --addr :8080, other machines can, too\n"
	}
	_, err = io.WriteString(out, text)
	return err
}

// urls returns the addresses of the server for browsers on this machine and, if it listens
// to them, on others. own are the addresses of this machine.
func urls(at net.Addr, own []net.Addr) (here string, elsewhere []string) {
	tcp, ok := at.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return "http://" + at.String() + "/", nil
	}
	url := func(host string) string { return "http://" + net.JoinHostPort(host, strconv.Itoa(tcp.Port)) + "/" }
	for _, a := range own {
		p, err := netip.ParsePrefix(a.String())
		if ip := p.Addr(); err == nil && !ip.IsLoopback() && !ip.IsLinkLocalUnicast() && (ip.Is4() || tcp.IP.To4() == nil) {
			elsewhere = append(elsewhere, url(ip.String()))
		}
	}
	return url("127.0.0.1"), elsewhere
}
