" The Click modular router's language.
if exists('b:current_syntax')
  finish
endif

syntax keyword clickKeyword elementclass define require provide
syntax keyword clickPort input output
syntax match clickClass /\<[A-Z]\w*\>/
syntax match clickName /[A-Za-z0-9_@\/]\+\ze\s*::/
syntax match clickArrow /->\|=>\|::\|||\|\.\.\./
syntax match clickVariable /\$\w\+/
syntax match clickNumber /\<\(0x\x\+\|\d\+\([.:\/]\x\+\)*\)\>/ contained
syntax match clickArgument /[A-Za-z0-9_.:]\@1<!\<\u[A-Z0-9_]\+\ze\s/ contained
syntax region clickString start=/"/ skip=/\\./ end=/"/
syntax region clickString start=/'/ end=/'/
syntax region clickString start=/\\</ end=/>/
syntax region clickComment start=/\/\*/ end=/\*\// contains=@Spell
syntax match clickComment /\/\/.*$/ contains=@Spell
syntax region clickArguments start=/(/ end=/)/ transparent contains=clickArguments,clickArgument,clickNumber,clickString,clickComment,clickVariable

highlight default link clickKeyword Keyword
highlight default link clickPort Special
highlight default link clickClass Type
highlight default link clickName Identifier
highlight default link clickArrow Operator
highlight default link clickVariable PreProc
highlight default link clickNumber Number
highlight default link clickArgument Label
highlight default link clickString String
highlight default link clickComment Comment

let b:current_syntax = 'click'
