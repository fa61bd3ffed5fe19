package console

import "quintet/games/loa"

func playLOA(t *dialogue, o Options) error {
	if err := o.checkSize(8); err != nil {
		return err
	}
	return playConnection(t, loa.NewCourse())
}
