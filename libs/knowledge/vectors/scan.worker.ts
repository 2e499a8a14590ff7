import { scanVectors, type ScanHit, type ScanRequest } from './scan.js';

/** Scans all vectors of a collection, in memory shared with the caller. Runs in a thread. */
export default function scan(request: ScanRequest): ScanHit[] {
  return scanVectors(request);
}
