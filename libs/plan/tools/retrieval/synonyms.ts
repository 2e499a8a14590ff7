/**
 * Words by which people ask for the platform's tools and that their descriptions do not contain. A word belongs to
 * the tool that does the work, not to tools that prepare it.
 */
const SYNONYMS: Record<string, string> = {
  list_inputs: 'all files uploads documents attachments folder directory available uploaded',
  read_input: 'open load view content show',
  extract_text: 'docx doc pdf html scan scanned ipynb webpage contract',
  parse_csv: 'spreadsheet excel sheet table tabular tsv records data',
  parse_json: 'jsonl ndjson object payload',
  parse_yaml: 'yml config configuration settings',
  parse_xml: 'xml feed rss soap elements',
  query_tables: 'join merge combine match lookup database select where relational filter rank top',
  aggregate: 'total sum average mean count minimum maximum highest lowest statistics pivot add up per group',
  transform_json: 'map pick convert restructure reshape extract fields',
  branch: 'if else condition unless only when decide case check threshold',
  draw_chart: 'graph plot diagram visualise visualize bar pie line histogram picture figure',
  lint_markdown: 'style formatting broken headings check markdown errors',
  diff_texts: 'changes changed difference versions compare revision redline',
  convert_markdown: 'word document export ebook publish print',
  write_file: 'save store download export csv output create report file result docx pdf',
  fetch_url: 'website webpage http link internet online download browse',
  http_request: 'api rest endpoint webhook json post put patch delete get call send crm service integration',
  search_knowledge: 'look up find lookup wiki documentation policy manual question facts rag retrieve',
  call_model:
    'summarise summarize summary translate translation german polish english french write draft email mail letter report rewrite classify label sentiment explain judge review extract names answer question llm gpt ai',
  run_document: 'manuscript compile merge verbatim complete faithful word docx handover report all files',
  run_article: 'blog post essay research topic style review repurpose linkedin newsletter',
  run_book: 'chapter outline toc novel write long publish epub',
  map: 'every each all loop foreach iterate batch repeat per file one by one',
};

/** Returns the synonyms of a tool's name; may be empty. */
export const synonymsOf = (name: string): string => (Object.hasOwn(SYNONYMS, name) ? SYNONYMS[name]! : '');
