package console

import "quintet/games/loa"

func playLOA(t *talk, o Options) error {
	if err := o.fixed(8); err != nil {
		return err
	}
	return gather(t, loa.NewCourse())
}
