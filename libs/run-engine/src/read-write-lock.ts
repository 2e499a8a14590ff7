type Company = 'together' | 'alone';

/** Lets the tasks of a process run side by side, and a suspect one alone; first come, first served. */
export class ReadWriteLock {
  private inside = 0;
  private isAlone = false;
  private readonly waiting: { company: Company; admit: () => void }[] = [];

  /** Waits for its turn. @returns to be called once, when the task is over */
  async enter(company: Company): Promise<() => void> {
    await new Promise<void>((admit) => {
      this.waiting.push({ company, admit });
      this.admitNext();
    });
    return () => {
      this.inside -= 1;
      this.isAlone = false;
      this.admitNext();
    };
  }

  private admitNext(): void {
    for (let next = this.waiting[0]; next; next = this.waiting[0]) {
      const mayEnter = next.company === 'alone' ? this.inside === 0 : !this.isAlone;
      if (!mayEnter) return;
      this.waiting.shift();
      this.inside += 1;
      this.isAlone = next.company === 'alone';
      next.admit();
    }
  }
}
