type Numbers = Float64Array | Int32Array | Uint32Array | Uint8Array;

/**
 * Room for numbers that is used again: a search takes arrays as long as the collection has passages, and a segment is scored in one go, so
 * that none is in use when the next is asked for.
 */
export class ScratchBuffer<Array extends Numbers> {
  private room: Array;

  constructor(private readonly make: (length: number) => Array) {
    this.room = make(0);
  }

  /** @returns so many numbers, each of which may be anything; valid until more are asked for */
  take(length: number): Array {
    if (this.room.length < length) this.room = this.make(2 * length);
    return this.room.subarray(0, length) as Array;
  }

  /** @returns so many zeros; valid until more are asked for */
  zeros(length: number): Array {
    return this.take(length).fill(0) as Array;
  }
}
