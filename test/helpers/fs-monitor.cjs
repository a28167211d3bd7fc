/** Loaded into a spawned program before everything else: notes every call of the file system, and writes them down at its end. */

const { writeFileSync } = require('node:fs');

// Below the functions of callbacks, of promises and those that wait: all three come through here.
const binding = process.binding('fs');
const calls = [];

for (const [name, original] of Object.entries(binding)) {
  // Classes are no calls.
  if (typeof original !== 'function' || /^[A-Z]/.test(name)) continue;
  binding[name] = function (...args) {
    calls.push({ name, of: String(args[0]), at: performance.timeOrigin + performance.now() });
    return original.apply(this, args);
  };
}

process.on('exit', () => writeFileSync(process.env.FS_CALLS, JSON.stringify([...calls])));
