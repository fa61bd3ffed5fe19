import{a,b,c,d,e}from"./chunk-F5MUJTAA.js";import"./chunk-2FJXND53.js";import"./chunk-4MVAHHNW.js";export{c as About,e as Followed,d as Reasons,a as reasons,b as useCircle};
