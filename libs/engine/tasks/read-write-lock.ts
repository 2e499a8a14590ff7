type Company = 'together' | 'alone';

/** First-come, first-served lock: the tasks of a process run concurrently, a suspect one runs alone. */
export class ReadWriteLock {
  private inside = 0;
  private isAlone = false;
  private readonly waiting: { company: Company; admit: () => void }[] = [];

  /** Waits for a turn. @returns a release function; call it once, when the task is over */
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
