import { scanVectors, type ScanHit, type ScanRequest } from './scan.js';

/** Runs in a thread: the exact scan of the vectors of a collection, whose memory is shared with it. */
export default function scan(request: ScanRequest): ScanHit[] {
  return scanVectors(request);
}
