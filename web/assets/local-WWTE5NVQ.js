import{a,b,c}from"./chunk-VEHO7CB7.js";export{c as answer,a as ask,b as isLocal};
