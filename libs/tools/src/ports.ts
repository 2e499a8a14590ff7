import type { SearchHit } from '#contracts/knowledge.js';

/** What a fetched address answered. */
export interface FetchedPage {
  status: number;
  mediaType: string;
  text: string;
}

/** What the platform's tools need from outside; all of it is bound to the tenant and the session of the call. */
export interface ToolPorts {
  inputs: {
    list(): Promise<{ name: string; bytes: number }[]>;
    /** The text of an input, extracted where it is a document. @throws ToolCallError */
    text(name: string): Promise<string>;
  };
  /** Keeps a file for download; the same name twice within a call keeps one. */
  keepFile(file: { name: string; format: string; bytes: Uint8Array }): Promise<{ exportId: string }>;
  /** @throws ToolCallError when fetching is off, or the address is refused */
  fetchPage(url: string): Promise<FetchedPage>;
  /** Passages of the tenant's collections that answer a query; of all of them when none is named. @throws ToolCallError */
  searchKnowledge(query: string, collections: string[] | undefined, k: number): Promise<SearchHit[]>;
  /** Makes a Word file, a PDF or an e-book of markdown. */
  convert(markdown: string, format: 'docx' | 'pdf' | 'epub', title: string | null): Promise<Uint8Array>;
  signal: AbortSignal;
}
