/** Growing byte buffer: numbers are stored with seven bits per byte, texts after their length. */
export class ByteWriter {
  private buffer: Buffer;
  length = 0;

  constructor(capacity = 16) {
    this.buffer = Buffer.allocUnsafe(capacity);
  }

  /** Writes an integer from 0 to 2³¹ − 1. */
  number(value: number): void {
    this.reserve(5);
    let rest = value;
    while (rest > 127) {
      this.buffer[this.length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.buffer[this.length++] = rest;
  }

  text(value: string): void {
    this.bytes(Buffer.from(value));
  }

  /** Writes the length of the bytes, then the bytes. */
  bytes(value: Uint8Array): void {
    this.number(value.length);
    this.reserve(value.length);
    this.buffer.set(value, this.length);
    this.length += value.length;
  }

  /** Returns everything written so far; valid until the next write. */
  written(): Buffer {
    return this.buffer.subarray(0, this.length);
  }

  private reserve(more: number): void {
    if (this.length + more <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.length + more));
    this.buffer.copy(larger, 0, 0, this.length);
    this.buffer = larger;
  }
}

/** Reads the output of a `ByteWriter`. */
export class ByteReader {
  constructor(
    private readonly buffer: Buffer,
    private at = 0,
  ) {}

  get done(): boolean {
    return this.at >= this.buffer.length;
  }

  number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.buffer[this.at++]!;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  }

  text(): string {
    return this.bytes().toString();
  }

  /** Skips bytes. @returns their start */
  skip(length: number): number {
    this.at += length;
    return this.at - length;
  }

  /** Returns a view, not a copy. */
  bytes(): Buffer {
    const length = this.number();
    const from = this.at;
    this.at += length;
    return this.buffer.subarray(from, this.at);
  }
}
