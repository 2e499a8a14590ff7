type Numbers = Float64Array | Int32Array | Uint32Array | Uint8Array;

/**
 * Reusable buffer for numbers. A search needs arrays as long as the collection has passages; it scores one
 * segment at a time, so a buffer is free again before the next request.
 */
export class ScratchBuffer<Array extends Numbers> {
  private room: Array;

  constructor(private readonly make: (length: number) => Array) {
    this.room = make(0);
  }

  /** @returns an array with arbitrary content, valid until the next call */
  take(length: number): Array {
    if (this.room.length < length) this.room = this.make(2 * length);
    return this.room.subarray(0, length) as Array;
  }

  /** @returns an array of zeros, valid until the next call */
  zeros(length: number): Array {
    return this.take(length).fill(0) as Array;
  }
}
