/**
 * What a read-only program may be given. Flags are one text, separated by blanks:
 *
 * | written | means |
 * |---|---|
 * | `-a` `--all` | a flag without a value |
 * | `-n=` `--lines=` | with a value that names no file: `-n5`, `-n 5`, `--lines=5`, `--lines 5` |
 * | `-f=@` `--file=@` | with a value that is a path |
 * | `--color?` | with an optional value, only as `--color=always` |
 * | `-#` | a number: `-20` |
 *
 * Only what reads and ends is listed; everything that is not listed asks. `--help` and `--version`
 * are known to all.
 */
export interface Program {
  readonly flags?: string;
  /** Flags that make it run until it is stopped. */
  readonly endless?: string;
  /**
   * What the words are that are no flags: `paths` (default), `text` (nothing is opened), `pattern`
   * (the first one is text, unless a flag of `patternFlags` took its place), `none`.
   */
  readonly operands?: "paths" | "text" | "pattern" | "none";
  readonly patternFlags?: string;
  /** Most operands; where a further one would be written to. */
  readonly maxOperands?: number;
  /** What each operand must look like. */
  readonly operandForm?: RegExp;
  /** Whether flags stand before the first operand only, so that later dashes are text. */
  readonly flagsFirst?: boolean;
  /** Whether nothing is a flag: each word is text. */
  readonly verbatim?: boolean;
  /** Flags of which one must be there. */
  readonly requires?: string;
  /** Whether it reads only when it is given nothing; with words it runs programs. */
  readonly alone?: boolean;
  /** Whether it reads its words in its own language: `find` and `test`. */
  readonly language?: "find" | "test";
}

const CHECKSUM: Program = {
  flags:
    "-b -c -t -z -w --binary --check --tag --text --zero --quiet --status --strict --warn --ignore-missing",
};

const GREP: Program = {
  flags: "-E -F -G -P -i -y -v -w -x -c -L -l -o -q -s -b -H -h -n -T -U -Z -z -a -I -r -R -# " +
    "-e= -f=@ -m= -A= -B= -C= -D= -d= --extended-regexp --fixed-strings --basic-regexp " +
    "--perl-regexp --regexp= --file=@ --ignore-case --no-ignore-case --invert-match " +
    "--word-regexp --line-regexp --count --color? --colour? --files-without-match " +
    "--files-with-matches --max-count= --only-matching --quiet --silent --no-messages " +
    "--byte-offset --with-filename --no-filename --label= --line-number --initial-tab --null " +
    "--after-context= --before-context= --context= --text --binary-files= --devices= " +
    "--directories= --exclude= --exclude-from=@ --exclude-dir= --include= --recursive " +
    "--dereference-recursive --line-buffered --binary --null-data",
  operands: "pattern",
  patternFlags: "-e -f --regexp --file",
};

/** The programs that may run without a question, and how. */
export const PROGRAMS: ReadonlyMap<string, Program> = new Map<string, Program>(Object.entries({
  ":": { operands: "text", verbatim: true },
  "[": { language: "test" },
  arch: { operands: "none" },
  basename: {
    flags: "-a -z -s= --multiple --suffix= --zero",
    operands: "text",
  },
  cat: {
    flags: "-A -b -e -E -n -s -t -T -u -v --show-all --number-nonblank --show-ends --number " +
      "--squeeze-blank --show-tabs --show-nonprinting",
  },
  cd: { flags: "-L -P", maxOperands: 1 },
  cmp: {
    flags: "-b -l -s -i= -n= --print-bytes --ignore-initial= --verbose --bytes= --quiet --silent",
  },
  column: {
    flags: "-t -x -e -J -R= -s= -c= -n= -N= -o= -l= -T= -H= -O= -E= --table --separator= " +
      "--output-separator= --table-columns= --table-right= --columns= --json --fillrows",
  },
  comm: {
    flags: "-1 -2 -3 -i -z --check-order --nocheck-order --output-delimiter= --total " +
      "--zero-terminated",
  },
  command: { flags: "-v -V", operands: "text", requires: "-v -V" },
  cut: {
    flags: "-b= -c= -d= -f= -n -s -z --bytes= --characters= --delimiter= --fields= " +
      "--complement --only-delimited --output-delimiter= --zero-terminated",
  },
  date: {
    flags: "-u -R -d= -r=@ -I --date= --utc --universal --iso-8601? --rfc-3339= --rfc-email " +
      "--reference=@",
    operands: "text",
    operandForm: /^\+/,
  },
  df: {
    flags: "-a -h -H -i -k -l -P -T -B= -t= -x= --all --block-size= --human-readable --si " +
      "--inodes --local --portability --print-type --type= --exclude-type= --total --output?",
  },
  diff: {
    flags: "-q -r -u -c -i -w -b -B -E -Z -N -a -y -s -e -n -p -t -T -d -H -U= -C= -W= -x= -X=@ " +
      "-I= -L= -F= --brief --recursive --unified? --context? --ignore-case --ignore-all-space " +
      "--ignore-space-change --ignore-blank-lines --ignore-tab-expansion " +
      "--ignore-trailing-space --new-file --unidirectional-new-file --text --side-by-side " +
      "--suppress-common-lines --width= --report-identical-files --ed --rcs --normal " +
      "--show-c-function --show-function-line= --label= --exclude= --exclude-from=@ " +
      "--starting-file= --ignore-matching-lines= --strip-trailing-cr --expand-tabs " +
      "--initial-tab --tabsize= --minimal --speed-large-files --color? --no-dereference " +
      "--ignore-file-name-case --from-file=@ --to-file=@",
  },
  dirname: { flags: "-z --zero", operands: "text" },
  du: {
    flags: "-0 -a -b -c -h -H -k -l -L -m -P -D -s -S -x -B= -d= -t= -X=@ --all " +
      "--apparent-size --block-size= --bytes --total --dereference --max-depth= --null " +
      "--human-readable --inodes --count-links --si --summarize --separate-dirs --threshold= " +
      "--time? --time-style= --exclude= --exclude-from=@ --one-file-system",
  },
  echo: { operands: "text", verbatim: true },
  egrep: GREP,
  env: { alone: true },
  expand: { flags: "-i -t= -# --initial --tabs=" },
  false: { operands: "text", verbatim: true },
  fgrep: GREP,
  file: {
    flags: "-b -i -h -k -L -n -N -p -r -v -0 -F= -e= -P= --brief --mime --mime-type " +
      "--mime-encoding --keep-going --dereference --no-dereference --no-pad --raw " +
      "--separator= --extension --print0",
  },
  find: { language: "find" },
  fold: { flags: "-b -s -w= -# --bytes --characters --spaces --width=" },
  grep: GREP,
  groups: { operands: "text" },
  head: {
    flags: "-n= -c= -q -v -z -# --lines= --bytes= --quiet --silent --verbose --zero-terminated",
  },
  hexdump: { flags: "-b -c -C -d -o -x -v -e= -n= -s=", operands: "paths" },
  hostname: { flags: "-s -f -i -I -d", operands: "none" },
  id: { flags: "-u -g -G -n -r -z -Z --user --group --groups --name --real", operands: "text" },
  join: {
    flags: "-a= -e= -i -1= -2= -j= -o= -t= -v= -z --header --ignore-case --check-order " +
      "--nocheck-order --zero-terminated",
  },
  jq: {
    flags: "-a -c -C -e -j -M -n -r -R -s -S --ascii-output --compact-output --color-output " +
      "--exit-status --join-output --monochrome-output --null-input --raw-output --raw-input " +
      "--slurp --sort-keys --tab --indent= --stream --seq --raw-output0",
    operands: "pattern",
  },
  ls: {
    flags: "-a -A -b -B -c -C -d -D -f -F -g -G -h -H -i -k -l -L -m -n -N -o -p -q -Q -r -R -s " +
      "-S -t -u -U -v -x -X -Z -1 -I= -T= -w= --all --almost-all --author --escape " +
      "--block-size= --ignore-backups --color? --directory --dired --classify? --file-type " +
      "--format= --full-time --group-directories-first --no-group --human-readable --si " +
      "--dereference --dereference-command-line --hide= --hyperlink? --indicator-style= " +
      "--inode --ignore= --kibibytes --literal --numeric-uid-gid --hide-control-chars " +
      "--show-control-chars --quote-name --quoting-style= --reverse --recursive --size " +
      "--sort= --time= --time-style= --tabsize= --width= --context --zero",
  },
  md5sum: CHECKSUM,
  nl: {
    flags: "-b= -d= -f= -h= -i= -l= -n= -p -s= -v= -w= --body-numbering= --number-format= " +
      "--number-separator= --number-width= --starting-line-number= --line-increment=",
  },
  nproc: { flags: "--all --ignore=", operands: "none" },
  od: {
    flags: "-A= -t= -N= -j= -v -a -b -c -d -f -i -l -o -s -x --address-radix= --format= " +
      "--read-bytes= --skip-bytes= --output-duplicates --endian=",
  },
  paste: { flags: "-d= -s -z --delimiters= --serial --zero-terminated" },
  printf: { operands: "text", flagsFirst: true },
  pwd: { flags: "-L -P --logical --physical", operands: "none" },
  readlink: {
    flags: "-e -f -m -n -q -s -v -z --canonicalize --canonicalize-existing " +
      "--canonicalize-missing --no-newline --quiet --silent --verbose --zero",
  },
  realpath: {
    flags: "-e -m -L -P -q -s -z --canonicalize-existing --canonicalize-missing --logical " +
      "--physical --quiet --relative-to=@ --relative-base=@ --strip --no-symlinks --zero",
  },
  rev: {},
  rg: {
    flags: "-A= -B= -C= -E= -M= -T= -d= -e= -f=@ -g= -j= -m= -r= -t= -0 -. -F -H -I -L -N -P -S " +
      "-U -a -b -c -h -i -l -n -o -p -q -s -u -v -w -x --after-context= --before-context= " +
      "--context= --encoding= --max-columns= --max-columns-preview --type-not= --type= " +
      "--max-depth= --regexp= --file=@ --glob= --iglob= --glob-case-insensitive --threads= " +
      "--max-count= --replace= --null --hidden --fixed-strings --with-filename --no-filename " +
      "--follow --line-number --no-line-number --pcre2 --smart-case --multiline " +
      "--multiline-dotall --text --byte-offset --count --count-matches --ignore-case " +
      "--files-with-matches --files-without-match --only-matching --pretty --quiet " +
      "--case-sensitive --unrestricted --invert-match --word-regexp --line-regexp --files " +
      "--type-list --color= --colors= --column --no-column --heading --no-heading --json " +
      "--trim --vimgrep --sort= --sortr= --stats --no-ignore --no-ignore-vcs " +
      "--no-ignore-parent --no-ignore-dot --ignore-file=@ --no-config --no-messages " +
      "--max-filesize= --passthru --crlf --engine= --one-file-system --path-separator= " +
      "--context-separator= --no-unicode --null-data --binary --line-buffered",
    operands: "pattern",
    patternFlags: "-e -f --regexp --file --files --type-list",
  },
  seq: {
    flags: "-f= -s= -w -# --format= --separator= --equal-width",
    operands: "text",
    // `seq 1 inf` never ends.
    operandForm: /^[-+]?[0-9.]+$/,
  },
  sha1sum: CHECKSUM,
  sha224sum: CHECKSUM,
  sha256sum: CHECKSUM,
  sha384sum: CHECKSUM,
  sha512sum: CHECKSUM,
  b2sum: CHECKSUM,
  cksum: {},
  sort: {
    flags: "-b -c -C -d -f -g -h -i -m -M -n -R -r -s -u -V -z -k= -S= -t= " +
      "--ignore-leading-blanks --check? --dictionary-order --ignore-case " +
      "--general-numeric-sort --human-numeric-sort --ignore-nonprinting --merge --month-sort " +
      "--numeric-sort --random-sort --random-source=@ --reverse --sort= --stable --unique " +
      "--version-sort --zero-terminated --key= --field-separator= --buffer-size= --debug " +
      "--parallel= --batch-size=",
  },
  stat: {
    flags: "-L -f -t -x -c= --dereference --file-system --terse --format= --printf=",
  },
  strings: { flags: "-a -f -n= -t= -o -w -e= -s= -# --all --print-file-name --bytes= --radix=" },
  tac: { flags: "-b -r -s= --before --regex --separator=" },
  tail: {
    flags: "-n= -c= -q -v -z -# --lines= --bytes= --quiet --silent --verbose --zero-terminated",
    endless: "-f -F --follow --retry",
  },
  test: { language: "test" },
  tr: {
    flags: "-c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1",
    operands: "text",
  },
  tree: {
    flags: "-a -d -f -l -x -i -q -N -Q -p -u -g -s -h -D -F -v -t -c -r -U -n -C -A -S -J -X -L= " +
      "-P= -I= -H= -T= --noreport --dirsfirst --filesfirst --gitignore --prune --du --si " +
      "--filelimit= --matchdirs --ignore-case --inodes --device --sort= --charset= --timefmt=",
  },
  true: { operands: "text", verbatim: true },
  type: { flags: "-a -t -p -P -f", operands: "text" },
  uname: {
    flags: "-a -s -n -r -v -m -p -i -o --all --kernel-name --nodename --kernel-release " +
      "--kernel-version --machine --processor --hardware-platform --operating-system",
    operands: "none",
  },
  unexpand: { flags: "-a -t= --all --first-only --tabs=" },
  uniq: {
    flags: "-c -d -D -i -u -z -f= -s= -w= --count --repeated --all-repeated? --group? " +
      "--ignore-case --unique --zero-terminated --skip-fields= --skip-chars= --check-chars=",
    maxOperands: 1,
  },
  uptime: { flags: "-p -s --pretty --since", operands: "none" },
  wc: {
    flags: "-c -m -l -L -w --bytes --chars --lines --words --max-line-length --total=",
  },
  which: { flags: "-a -s --all", operands: "text" },
  whoami: { operands: "none" },
  xxd: {
    flags: "-a -b -e -E -i -p -u -C -c= -g= -l= -o= -s= -ps",
    maxOperands: 1,
  },
}));
