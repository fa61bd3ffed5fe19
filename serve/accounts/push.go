package accounts

import (
	"net/http"

	"quintet/people"
	"quintet/serve/api"
)

// pushRequest is a browser's subscription to Web Push, or the endpoint of one.
type pushRequest struct {
	Endpoint string `json:"endpoint"`
	Keys     struct {
		P256dh string `json:"p256dh"`
		Auth   string `json:"auth"`
	} `json:"keys"`
	Language string `json:"language"`
}

// pushView is the account's subscriptions to Web Push.
type pushView struct {
	Key       string   `json:"key"` // public key of the server; "" if it sends nothing
	Endpoints []string `json:"endpoints"`
}

func (s *Service) viewPushes(a people.Account) pushView {
	v := pushView{s.pushKey, []string{}}
	for _, p := range a.LivePushes(s.Now()) {
		v.Endpoints = append(v.Endpoints, p.Endpoint)
	}
	return v
}

// pushes lists the sender's subscriptions.
func (s *Service) pushes(w http.ResponseWriter, r *http.Request) error {
	who, err := s.signed(r)
	if err != nil {
		return err
	}
	return s.OK(w, s.viewPushes(who.Account))
}

// addPush adds a subscription, which ends with the session of the request.
func (s *Service) addPush(w http.ResponseWriter, r *http.Request) error {
	var q pushRequest
	if err := api.Read(w, r, api.LargeBody, &q, "endpoint", "keys", "language"); err != nil {
		return err
	}
	return s.changePushes(w, r, func(a *people.Account, who people.Who) error {
		p := people.Push{Endpoint: q.Endpoint, Key: q.Keys.P256dh, Auth: q.Keys.Auth, Language: q.Language, Site: s.Origin(r), Grant: who.Grant.ID}
		if err := p.Normalize(); err != nil {
			return api.Invalid("push", "%v", err)
		}
		a.AddPush(p, s.Now())
		return nil
	})
}

// removePush removes a subscription, if it is there.
func (s *Service) removePush(w http.ResponseWriter, r *http.Request) error {
	var q pushRequest
	if err := api.Read(w, r, api.LargeBody, &q, "endpoint"); err != nil {
		return err
	}
	return s.changePushes(w, r, func(a *people.Account, _ people.Who) error { a.RemovePush(q.Endpoint); return nil })
}

// changePushes changes the sender's subscriptions and answers with them.
func (s *Service) changePushes(w http.ResponseWriter, r *http.Request, change func(*people.Account, people.Who) error) error {
	who, err := s.signedForChange(r)
	if err != nil {
		return err
	}
	a, err := s.update(r, who, func(a *people.Account) error { return change(a, who) })
	if err != nil {
		return failed(err)
	}
	return s.OK(w, s.viewPushes(a))
}
