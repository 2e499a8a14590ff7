/**
 * Twenty short drafts in the style of the example corpora's authors, with hand-made deviations. `⟦rule|words⟧` marks a place
 * where a human editor would report one; the drafts proper lack these marks.
 */
const english = [
  `# A scanner for every gate

The gate in Hamm has ⟦repeated_word|one one⟧ scanner. It reads 900 parcels an hour, and the depot wants a second one. ⟦date_format|2026-07-01⟧ is the day on which it arrives.

## What it costs

A scanner costs as much as a printer. ⟦term_spelling|Larkfeld⟧ Parcel has ordered six of them. They said ⟦quotation_marks|"that is enough"⟧ in the meeting.`,

  `# How we name our queues

A queue is named after the work that is done⟦dash| - ⟧never after the team. The names are kept in ⟦term_spelling|Github⟧, and they are reviewed once a year.

## Old names

Three queues still have names from 2019. They will be renamed on ⟦date_format|March 3, 2027⟧, when the last depot has moved. Until then ⟦repeated_word|the the⟧ old names stay.`,

  `# The week without a printer

For a week the depot in Hamm had no printer⟦ellipsis|...⟧ The labels were drawn in the next town, and a lorry brought them⟦double_space|  ⟧every morning⟦exclamation|!⟧`,

  `# What a retry costs

A retry is cheap when the job is small. It takes ⟦decimal_mark|2,5⟧ seconds, and the worker is free again. A label that is drawn twice costs more.

⟦heading_level|#### When to stop⟧

After three retries a person is asked. ⟦person|I believe that nobody should have to answer such a question at night.⟧ The answer is kept in ⟦term_spelling|PostgreSql⟧.`,

  `# Moving the night shift

The night shift begins at ten. It has ⟦thousands|12 000⟧ parcels to sort, and ⟦repeated_word|they they⟧ are gone by four in the morning⟦space_before_mark| ⟧.`,

  `# Two printers are better than one

⟦overlong_sentence|The second printer stands beside the first one and takes over whenever the first one is busy with a long label or has run out of paper or is being cleaned, which happens more often than anybody in the depot would have thought before they began to count it in the spring.⟧ That is all.

## The paper

The paper comes from one supplier. The contract ends on ⟦date_format|31.12.2026⟧, and ⟦term_spelling|Larkfeild⟧ Parcel will ask for another offer.`,

  `# ⟦heading_case|Reading The Charts Of A Queue⟧

A hill in the chart is a peak. A wall is an outage. ⟦quotation_marks|"A wall never comes alone"⟧, says the handbook.

The chart in ⟦term_spelling|BullMq⟧ shows both. It is read every morning, and ⟦repeated_word|nobody nobody⟧ skips it.`,

  `# Why we write things down

A decision that is not written down is made again. It costs ⟦decimal_mark|1,5⟧ hours each time⟦dash| — ⟧and nobody remembers the first one.

## Where they are kept

The decisions lie beside the code. A copy goes out by ⟦term_spelling|email⟧ to the depots. There have been ⟦thousands|1 100⟧ of them so far.`,

  `# The label that nobody could read

The label was too small. ⟦person|I have seen it myself.⟧ The scanner read it⟦double_space|  ⟧twice and gave up.

## What we changed

The letters are larger now. The change was made on ⟦date_format|2026-02-11⟧, and the scanner reads 99 of 100 labels⟦exclamation|!⟧`,

  `# A handbook of forty pages

The handbook has forty pages. Each of them ⟦repeated_word|has has⟧ one picture. The pictures were drawn by the depot in Hamm⟦dash| - ⟧they know the printers best.

⟦heading_level|### The first page⟧

It says ⟦quotation_marks|"do not panic"⟧ and names the person to call.`,
];

const polish = [
  `# Skaner przy każdej bramie

Brama we Wrocławiu ma ⟦repeated_word|jeden jeden⟧ skaner. Czyta on 900 paczek na godzinę, a magazyn chce mieć drugi. Dzień dostawy to ⟦date_format|2026-07-01⟧.

## Ile to kosztuje

Skaner kosztuje tyle co drukarka. Firma ⟦term_spelling|Pazckomir⟧ zamówiła sześć. Na zebraniu padło zdanie ⟦quotation_marks|"to wystarczy"⟧.`,

  `# Jak nazywamy kolejki

Kolejka nosi nazwę pracy⟦dash| - ⟧nigdy zespołu. Nazwy trzyma ⟦term_spelling|Github⟧, a raz w roku są przeglądane.

## Stare nazwy

Trzy kolejki mają nazwy z 2019 roku. Zmienimy je ⟦date_format|03.03.2027⟧, gdy przeniesie się ostatni magazyn. Do tego czasu ⟦repeated_word|stare stare⟧ nazwy zostają.`,

  `# Tydzień bez drukarki

Przez tydzień magazyn nie miał drukarki⟦ellipsis|...⟧ Etykiety powstawały w sąsiednim mieście, a ciężarówka przywoziła je⟦double_space|  ⟧co rano⟦exclamation|!⟧`,

  `# Ile kosztuje ponowienie

Ponowienie jest tanie, gdy zadanie jest małe. Trwa ⟦decimal_mark|2.5⟧ sekundy i proces jest wolny. Etykieta wydrukowana dwa razy kosztuje więcej.

⟦heading_level|#### Kiedy przestać⟧

Po trzech próbach pytamy człowieka. ⟦person|Uważam, że nikt nie powinien odpowiadać na to w nocy.⟧ Odpowiedź trafia do bazy ⟦term_spelling|PostgreSql⟧.`,

  `# Przeprowadzka nocnej zmiany

Nocna zmiana zaczyna o dziesiątej. Ma do posortowania ⟦thousands|12,000⟧ paczek, ⟦repeated_word|które które⟧ znikają przed czwartą rano⟦space_before_mark| ⟧.`,

  `# Dwie drukarki są lepsze niż jedna

⟦overlong_sentence|Druga drukarka stoi obok pierwszej i przejmuje pracę zawsze, gdy pierwsza jest zajęta długą etykietą albo skończył się w niej papier albo jest właśnie czyszczona, co zdarza się częściej, niż ktokolwiek w magazynie sądził, zanim wiosną zaczęto to wreszcie porządnie liczyć.⟧ To wszystko.

## Papier

Papier dostarcza jedna firma. Umowa kończy się ⟦date_format|31.12.2026⟧ i wtedy poprosimy o nową ofertę.`,

  `# ⟦heading_case|Jak Czytać Wykresy Kolejki⟧

Górka na wykresie to szczyt. Ściana to awaria. W podręczniku stoi: ⟦quotation_marks|"ściana nie przychodzi sama"⟧.

Wykres w ⟦term_spelling|BullMq⟧ pokazuje jedno i drugie. Czytamy go co rano i ⟦repeated_word|nikt nikt⟧ go nie pomija.`,

  `# Dlaczego zapisujemy decyzje

Decyzja, której nie zapisano, zapada drugi raz. Kosztuje to ⟦decimal_mark|1.5⟧ godziny⟦dash| — ⟧a nikt nie pamięta pierwszej.

## Gdzie są

Decyzje leżą obok kodu. Kopia idzie jako ⟦term_spelling|email⟧ do magazynów. Do dziś powstało ich ⟦thousands|1,100⟧.`,

  `# Etykieta, której nikt nie mógł odczytać

Etykieta była za mała. ⟦person|Sam ją widziałem przy bramie.⟧ Skaner czytał ją⟦double_space|  ⟧dwa razy i się poddał.

## Co zmieniliśmy

Litery są teraz większe. Zmiana weszła ⟦date_format|2026-02-11⟧, a skaner czyta 99 ze 100 etykiet⟦exclamation|!⟧`,

  `# Podręcznik na czterdzieści stron

Podręcznik ma czterdzieści stron. Każda ⟦repeated_word|ma ma⟧ jeden rysunek. Rysunki powstały we Wrocławiu⟦dash| - ⟧tam najlepiej znają drukarki.

⟦heading_level|### Pierwsza strona⟧

Stoi na niej ⟦quotation_marks|"bez paniki"⟧ i imię osoby, do której trzeba zadzwonić.`,
];

export const depotDrafts = { en: english, pl: polish };
