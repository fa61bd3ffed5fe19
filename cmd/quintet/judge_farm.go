package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"

	"quintet/farm/judging"
	"quintet/farm/natsrpc"
	"quintet/judge"
	"quintet/judge/league"
	"quintet/serve/classes"
)

// farmJob is a job of a server for the workers of a farm that judge: one of the two.
type farmJob struct {
	Work  *classes.Work  `json:"work,omitempty"`
	Match *classes.Match `json:"match,omitempty"`
}

// farmJudge judges on the workers of a farm. It implements classes.Judge.
type farmJudge struct{ client *judging.Client }

// newFarmJudge returns a judge on the workers of the farm of the flags. The caller must close its client.
func (f *serveFlags) newFarmJudge(logger *slog.Logger) farmJudge {
	return farmJudge{judging.NewClient(f.dialFarm, logger)}
}

// do does a job and decodes its result.
func (j farmJudge) do(ctx context.Context, job farmJob, result any) error {
	data, err := json.Marshal(job)
	if err == nil {
		data, err = j.client.Do(ctx, data)
	}
	if err == nil {
		err = json.Unmarshal(data, result)
	}
	if err != nil {
		return fmt.Errorf("judging on a worker: %w", err)
	}
	return nil
}

// Judge implements classes.Judge.
func (j farmJudge) Judge(ctx context.Context, w classes.Work) (v judge.Verdict, err error) {
	return v, j.do(ctx, farmJob{Work: &w}, &v)
}

// Play implements classes.Judge.
func (j farmJudge) Play(ctx context.Context, m classes.Match) (g league.Match, err error) {
	return g, j.do(ctx, farmJob{Match: &m}, &g)
}

// handle does a job of a server, on a worker.
func (j *serverJudge) handle(ctx context.Context, data []byte) ([]byte, error) {
	var job farmJob
	if err := json.Unmarshal(data, &job); err != nil {
		return nil, fmt.Errorf("reading a job: %w", err)
	}
	var result any
	var err error
	switch {
	case job.Match != nil && job.Match.Assignment.League != nil:
		result, err = j.Play(ctx, *job.Match)
	case job.Work != nil:
		var v judge.Verdict
		v, err = j.Judge(ctx, *job.Work)
		result = classes.Trim(v)
	default:
		err = errors.New("a job without work")
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(result)
}

// judgeForServers lets servers judge on this worker until the caller calls what it returns.
func (f *workerFlags) judgeForServers(ctx context.Context, conn *natsrpc.Conn, build string) (end func(), err error) {
	if f.judge == 0 {
		return func() {}, nil
	}
	j, err := newServerJudge(ctx, f.sandbox)
	if err != nil {
		return nil, err
	}
	w, err := judging.Serve(ctx, conn.Searches(), build, f.judge, j.handle)
	if err != nil {
		return nil, err
	}
	return func() { w.Close(); j.programs.Close() }, nil
}
