/** Why a source or a page cannot be read, in Polish. */
export const sources = {
  'source_problem.too_much':
    'Odczyt źródła trwa zbyt długo albo wymaga zbyt dużo pamięci. Podziel je i wyślij części.',
  'source_problem.outage':
    'Część usługi jest nieosiągalna. Źródło zostanie zaindeksowane, gdy znów będzie dostępna.',
  'source_problem.not_indexed':
    'Nie udało się zaindeksować źródła. Wyślij je ponownie albo zapytaj operatora.',
  'source_problem.embedding_outage':
    'Serwer embeddingów nie odpowiada. Źródło zostanie zaindeksowane, gdy znów będzie dostępny.',
  'source_problem.budget': 'Organizacja wykorzystała swój budżet modelu na ten miesiąc.',
  'source_problem.embedding_gone': 'Model embeddingów nie jest już skonfigurowany.',
  'source_problem.not_embedded': 'Nie udało się obliczyć wektorów tekstów.',
  'source_problem.vectors_missing': 'Wektory narzędzi nie są jeszcze kompletne.',
  'source_problem.page_type':
    'Strona ma typ {type}. Po adresie można odczytać tylko strony WWW, PDF i tekst.',
  'source_problem.page_status': 'Strona odpowiada stanem {status}.',
  'source_problem.page': 'Nie udało się odczytać strony.',
  'source_problem.unreadable': 'Nie udało się odczytać tego pliku.',
  'source_problem.of': '{name}: {problem}',
} as const;
