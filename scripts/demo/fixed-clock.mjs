/** Sets the clock of a process back by DEMO_SHIFT_MS: loaded with `--import`, so that the demo's written output has the same times whenever it is made. */

const shift = Number(process.env.DEMO_SHIFT_MS);
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    super(...(parts.length === 0 ? [RealDate.now() - shift] : parts));
  }

  static now() {
    return RealDate.now() - shift;
  }
};
