/** Questions and their facts in Polish. */
export const questions = {
  'question.article_draft':
    'Szkic artykułu „{topic}” jest gotowy. Przyjmij go, odrzuć z uzasadnieniem, zdecyduj o poszczególnych akapitach albo prześlij poprawiony tekst.',
  'question.article_duplicate':
    'Istnieje już artykuł na bardzo podobny temat: „{topic}” ({date}). Czy mimo to napisać nowy?',
  'question.article_research':
    'Badanie tematu „{topic}” jest zakończone. Zatwierdź raport i nagłówki, zmień je albo zleć wyszukanie odpowiedzi na dalsze pytania.',
  'question.article_shadow': {
    one: 'Tekst ma {count} uwagę. Zatwierdź poprawiony tekst albo wybrane zmiany lub odrzuć go z uzasadnieniem.',
    few: 'Tekst ma {count} uwagi. Zatwierdź poprawiony tekst albo wybrane zmiany lub odrzuć go z uzasadnieniem.',
    many: 'Tekst ma {count} uwag. Zatwierdź poprawiony tekst albo wybrane zmiany lub odrzuć go z uzasadnieniem.',
    other:
      'Tekst ma {count} uwagi. Zatwierdź poprawiony tekst albo wybrane zmiany lub odrzuć go z uzasadnieniem.',
  },
  'question.budget.run_cost':
    'Budżet kosztów tego przebiegu nie wystarczy na następny krok: wykorzystano {spent} z {limit}, {reserved} jest zarezerwowane, a następne wywołanie modelu może wymagać {needed}. Zwiększyć budżet czy zakończyć przebieg? Dotychczasowy tekst jest zapisany.',
  'question.budget.run_tokens':
    'Budżet tokenów tego przebiegu nie wystarczy na następny krok: wykorzystano {spent} z {limit} tokenów, {reserved} jest zarezerwowane, a następne wywołanie modelu może wymagać {needed}. Zwiększyć budżet czy zakończyć przebieg? Dotychczasowy tekst jest zapisany.',
  'question.budget.tenant_cost':
    'Miesięczny budżet kosztów organizacji nie wystarczy na następny krok: wykorzystano {spent} z {limit}, {reserved} jest zarezerwowane, a następne wywołanie modelu może wymagać {needed}. Spróbować ponownie, gdy operator zwiększy budżet albo skończą się inne przebiegi, czy zakończyć przebieg? Dotychczasowy tekst jest zapisany.',
  'question.budget.tenant_tokens':
    'Miesięczny budżet tokenów organizacji nie wystarczy na następny krok: wykorzystano {spent} z {limit} tokenów, {reserved} jest zarezerwowane, a następne wywołanie modelu może wymagać {needed}. Spróbować ponownie, gdy operator zwiększy budżet albo skończą się inne przebiegi, czy zakończyć przebieg? Dotychczasowy tekst jest zapisany.',
  'question.encodings': {
    one: '{count} plik nie jest w UTF-8. Jakie ma kodowanie? Pierwsza propozycja jest najbardziej prawdopodobna.',
    few: '{count} pliki nie są w UTF-8. Jakie mają kodowanie? Pierwsza propozycja jest najbardziej prawdopodobna.',
    many: '{count} plików nie jest w UTF-8. Jakie mają kodowanie? Pierwsza propozycja jest najbardziej prawdopodobna.',
    other:
      '{count} pliku nie jest w UTF-8. Jakie mają kodowanie? Pierwsza propozycja jest najbardziej prawdopodobna.',
  },
  'question.fix_exhausted': {
    one: 'Po {attempts} próbach rozdział nadal ma {count} usterkę. Przyjąć go mimo to, pozwolić agentowi spróbować ponownie czy przerwać przebieg?',
    few: 'Po {attempts} próbach rozdział nadal ma {count} usterki. Przyjąć go mimo to, pozwolić agentowi spróbować ponownie czy przerwać przebieg?',
    many: 'Po {attempts} próbach rozdział nadal ma {count} usterek. Przyjąć go mimo to, pozwolić agentowi spróbować ponownie czy przerwać przebieg?',
    other:
      'Po {attempts} próbach rozdział nadal ma {count} usterki. Przyjąć go mimo to, pozwolić agentowi spróbować ponownie czy przerwać przebieg?',
  },
  'question.missing_references': '{question} Wysłać plik czy go pominąć?',
  'question.model_failed': 'Model „{model}” zawiódł: {failure} {offer} Dotychczasowa praca jest zapisana.',
  'question.model_failed.by_rules': 'pracować dalej według reguł, bez modelu',
  'question.model_failed.replan_by_rules': 'zmienić plan według reguł, bez modelu',
  'question.model_failed.retry': 'Spróbować ponownie czy zakończyć przebieg?',
  'question.model_failed.other_model':
    'Spróbować ponownie, używać odtąd modelu „{other}” czy zakończyć przebieg?',
  'question.model_failed.rules': 'Spróbować ponownie, {rules} czy zakończyć przebieg?',
  'question.model_failed.other_model_or_rules':
    'Spróbować ponownie, używać odtąd modelu „{other}”, {rules} czy zakończyć przebieg?',
  'question.plan_agent': '{state} Kontynuować, zaplanować na nowo czy przerwać?',
  'question.plan_agent.after_layer': 'Warstwa {layer} planu jest ukończona.',
  'question.plan_agent.first': 'Żadna warstwa planu nie została jeszcze wykonana.',
  'question.plan_agent.requested': '{state} Decyzji zażądało polecenie.',
  'question.plan_agent.undecided': '{state} Model nie podjął prawidłowej decyzji.',
  'question.plan_outcome':
    'Wywołanie narzędzia „{tool}” w zadaniu „{task}” pozostało bez odpowiedzi: {error} Sprawdź, czy odniosło skutek, a potem wybierz: powtórz je, oznacz zadanie jako wykonane bez wyniku, oznacz je jako nieudane albo zakończ plan.',
  'question.references.ambiguous': {
    one: 'Źródła odwołują się do {count} pliku nazwą, którą nosi kilka plików: {names}. Wybierz właściwy.',
    few: 'Źródła odwołują się do {count} plików nazwami, które nosi po kilka plików: {names}. Wybierz właściwe.',
    many: 'Źródła odwołują się do {count} plików nazwami, które nosi po kilka plików: {names}. Wybierz właściwe.',
    other:
      'Źródła odwołują się do {count} pliku nazwami, które nosi po kilka plików: {names}. Wybierz właściwe.',
  },
  'question.references.missing': {
    one: 'Źródła odwołują się do {count} pliku, którego nie przesłano: {names}.',
    few: 'Źródła odwołują się do {count} plików, których nie przesłano: {names}.',
    many: 'Źródła odwołują się do {count} plików, których nie przesłano: {names}.',
    other: 'Źródła odwołują się do {count} pliku, których nie przesłano: {names}.',
  },
  'question.unreadable_files': {
    one: 'Nie da się odczytać {count} pliku. Pominąć go czy zakończyć przebieg, aby go podmienić?',
    few: 'Nie da się odczytać {count} plików. Pominąć je czy zakończyć przebieg, aby je podmienić?',
    many: 'Nie da się odczytać {count} plików. Pominąć je czy zakończyć przebieg, aby je podmienić?',
    other: 'Nie da się odczytać {count} pliku. Pominąć je czy zakończyć przebieg, aby je podmienić?',
  },
  'fact.by_rules': 'Napisane według reguł, bez modelu: {stages}',
  'fact.encoding.guess': '{name} wygląda na {encoding}: {preview}',
  'fact.encoding.likely': '{name} wygląda na {encoding} (pewność {percent}%): {preview}',
  'fact.encoding.other': '  albo {encoding}: {preview}',
  'fact.failed_step': 'Nieudany krok: {operation}',
  'fact.issue': '{rule} {message}',
  'fact.issue_with_detail': '{rule} {message}: {detail}',
  'fact.issue_at_line': 'wiersz {line}: {rule} {message}',
  'fact.not_carried':
    '{name}: nie przeniesiono: wiersze {missingLines} z {lines}, bajty {missingBytes} z {bytes}',
  'fact.partly_carried':
    '{name}: nie przeniesiono części: wiersze {missingLines} z {lines}, bajty {missingBytes} z {bytes}',
  'list.more': '{names} i jeszcze {count}',
  sentences: '{first} {rest}',
} as const;
