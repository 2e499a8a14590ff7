import type { SearchHit } from '#knowledge/contract.js';
import type { TableOfFile, TableOptions } from './platform/table-file.js';
import type { WorkbookTables } from './platform/workbook.js';

/** An HTTP request of a plan; headers name secrets as `{{name}}`. */
export interface HttpCall {
  method: string;
  url: string;
  headers: Record<string, string>;
  /** JSON, or the fields of a form; null for a request without a body. */
  body: string | { form: Record<string, string> } | null;
  /** Names of secrets by parameter of the query, or by field of the body. */
  secrets?: { query: Record<string, string>; body: Record<string, string> };
  /** Whether an error is an answer as any other, and JSON is text. */
  isAnyAnswer?: boolean;
}

/** Response to such a request, without secrets. */
export interface HttpAnswer {
  status: number;
  mediaType: string;
  location: string | null;
  /** JSON value or text; null if there is neither. */
  body: unknown;
  /** Text of the response, of a page without its mark-up; null for JSON as a value and for what is no text. */
  text: string | null;
}

/** A mail, and the server that takes it. */
export interface Mail {
  /** Host with its port. */
  server: string;
  /** The password is a named secret, as in `{{name}}`. */
  sign_in?: { user: string; password: string } | undefined;
  from: string;
  to: string[];
  cc?: string[] | undefined;
  reply_to?: string | undefined;
  subject: string;
  text: string;
  /** Names of files that the plan has written, or of inputs. */
  files?: string[] | undefined;
}

/** What an SMTP server did with a mail. */
export interface MailAnswer {
  messageId: string;
  /** Addresses of recipients. */
  accepted: string[];
  rejected: string[];
}

/** Ports of the platform's tools; all are bound to the tenant and the session of the call. */
export interface ToolPorts {
  inputs: {
    list(): Promise<{ name: string; bytes: number }[]>;
    /** Returns the text of an input; text is extracted from documents. @throws ToolCallError */
    text(name: string): Promise<string>;
    /** Returns the table in an input. @throws ToolCallError */
    table(name: string, options: TableOptions): Promise<TableOfFile>;
  };
  /** Returns an Excel workbook with a sheet for each table, by its name. @throws ToolCallError */
  makeWorkbook(tables: WorkbookTables): Promise<Uint8Array>;
  /** Stores a file for download; if the call is repeated, returns the same export. */
  keepFile(file: { name: string; format: string; bytes: Uint8Array }): Promise<{ exportId: string }>;
  /** @throws ToolCallError; BrokenOffCallError if the request may have taken effect */
  sendRequest(call: HttpCall): Promise<HttpAnswer>;
  /** @throws ToolCallError; BrokenOffCallError if the server may have taken the mail */
  sendMail(mail: Mail): Promise<MailAnswer>;
  /**
   * Returns passages that match a query, from the given collections or else from all of the tenant's. @throws
   * ToolCallError
   */
  searchKnowledge(query: string, collections: string[] | undefined, k: number): Promise<SearchHit[]>;
  /** Converts markdown to a Word file, a PDF or an e-book. */
  convert(markdown: string, format: 'docx' | 'pdf' | 'epub', title: string | null): Promise<Uint8Array>;
  signal: AbortSignal;
}
