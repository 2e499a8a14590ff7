/** Seconds since `startedAt` (milliseconds), to a tenth. */
export const secondsSince = (startedAt: number): number => Math.round((Date.now() - startedAt) / 100) / 10;
