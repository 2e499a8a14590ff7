/**
 * Loaded before an app of the harness (`node --import`): its clock is wrong, by one of the shifts in `FAULTS_CLOCK_SHIFTS`
 * (milliseconds, with commas between). Which one follows from the id of the process, so that one that is started again is
 * wrong in another way than the one before.
 */
import { shiftClock } from './shifted-clock.js';

const shifts = (process.env['FAULTS_CLOCK_SHIFTS'] ?? '0').split(',').map(Number);
shiftClock(shifts[process.pid % shifts.length]!);
