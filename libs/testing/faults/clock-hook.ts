/**
 * Gives an app of the harness a wrong clock; load it before the app (`node --import`). The process ID selects the shift from
 * the comma-separated milliseconds in `FAULTS_CLOCK_SHIFTS`, so that a restarted process usually gets a different one.
 */
import { shiftClock } from './shifted-clock.js';

const shifts = (process.env['FAULTS_CLOCK_SHIFTS'] ?? '0').split(',').map(Number);
shiftClock(shifts[process.pid % shifts.length]!);
