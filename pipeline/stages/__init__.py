"""One file a stage, one public function `build` whose signature is the wiring."""
